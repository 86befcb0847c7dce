lockstep_room(driver_dpia driver/languages/dpia driver dpia_mutants proofs)
