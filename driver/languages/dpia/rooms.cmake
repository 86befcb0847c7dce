lockstep_room(driver_dpia driver/languages/dpia driver dpia_mutants law_proofs kernel_proofs)
