lockstep_room(driver_l0 driver/languages/l0 driver l0_checks)
