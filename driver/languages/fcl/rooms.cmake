lockstep_room(driver_fcl driver/languages/fcl driver_kernels fcl_checks)
