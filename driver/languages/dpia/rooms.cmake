lockstep_room(driver_dpia driver/languages/dpia driver_kernels dpia_mutants law_proofs)
