// What --help says beside the options.
#pragma once

namespace lockstep::driver::help {

inline constexpr const char* about =
    "Data-parallel programs (.dpia, .snesl, .l0) on checked ways to fast code: every stage of the translation is a "
    "program\n"
    "that is type-checked, run beside the source, and costed.\n";
inline constexpr const char* notes =
    "\nFILE[:FUN]: FUN defaults to the file's last entry point, a function whose parameters and result are data.\n"
    "name=value: a .npy file; a literal (3, -1.5, [1,2,3], [[1,2],[3,4]], (1,2.5), inf, nan, true); or random,\n"
    "  random:SEED, random:KIND or random:KIND:SEED where the sizes are given, the KIND one of spd (a symmetric "
    "positive\n"
    "  definite matrix), positive, distinct, sorted and permutation. Sizes that nothing else determines are given by\n"
    "  name, n=1000. An array of tuples is given by its leaves, left to right: xs.0=a.npy xs.1=b.npy. In .snesl\n"
    "  sequences are {1,2}, characters 'c', and a parameter of type [Char], as a file's name is, takes the value as "
    "it\n"
    "  stands; the file - is standard input, where it is written standard output.\n"
    "Exit status: 0 done; 1 a check failed or outputs disagree; 2 the input is wrong; 3 the program trapped;\n"
    "  4 something on the machine is missing or failed.\n"
    "Environment: LOCKSTEP_CXX the C++ compiler, LOCKSTEP_MARCH the processor that it compiles for (native),\n"
    "  LOCKSTEP_CACHE the folder of compiled programs, NO_COLOR. LOCKSTEP_HIP_DEVICE the number of a GPU, from\n"
    "  0, or none, LOCKSTEP_OPENCL_DEVICE that of a device of OpenCL; LOCKSTEP_KERNEL_SECONDS how long a kernel may\n"
    "  take (50; 0: as long as it takes).\n"
    "The languages: semantics/functional/README.md is the reference of .dpia, semantics/snesl/README.md that of "
    ".snesl,\nsemantics/l0/README.md that of .l0;\n"
    "  'lockstep primitives' lists what is built in.";
inline constexpr const char* of_prove =
    "\nWithout FILE, the calculus itself, once for all programs and sizes: that the views' read paths and\n"
    "acceptors do what their equations say, the equations of the translation (DPIA §5.3), the laws that strategies\n"
    "rely on, the laws that operators claim. Beside them stand wrong statements, which must be refuted. Exit\n"
    "status: 0 where nothing is refuted or unknown and every wrong statement is refuted; 1 otherwise.\n";

}  // namespace lockstep::driver::help
