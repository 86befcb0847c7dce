lockstep_room(driver_l0 driver/languages/l0 driver_kernels l0_checks law_proofs)
