// Holds the precompiled headers of the unit tests; see tests/CMakeLists.txt.
