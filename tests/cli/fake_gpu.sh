# Sourced behind claims.sh: the headers that kernels on a GPU that is none are compiled with (fake_cuda.cpp), in headers/;
# precompiled with its flags, which a g++ reads in a quarter of the time.
mkdir -p headers/hip && cp "$examples"/../codegen/targets/hip_cpu/*.h headers/hip
"${CXX:-g++}" -std=c++20 -O1 -w -ffp-contract=off -D__restrict__= -fPIC -pthread -x c++-header headers/hip/hip_runtime.h \
  -o headers/hip/hip_runtime.h.gch
export FAKE_CUDA_HEADERS=$work/headers
