lockstep_room(toy semantics/toy core)
lockstep_room(driver_toy driver/languages/toy driver toy)
