// Catch2's main: it takes long to compile and has its own file.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
