lockstep_room(driver_snesl driver/languages/snesl driver snesl_checks)
