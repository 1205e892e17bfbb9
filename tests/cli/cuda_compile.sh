#!/usr/bin/env bash
# Compiles the probe's CUDA sources with warnings as errors: cuda_compile.sh NVCC CXX.
set -eu
cd "$XUANKA_SOURCE_DIR"
nvcc=$1 cxx=$2
include=$(dirname "$(dirname "$(readlink -f "$nvcc")")")/include
[ -f "$include/cublasLt.h" ] || include=/usr/local/cuda/include
"$nvcc" -std=c++20 -arch=sm_90 -I. -Werror all-warnings -Xcompiler -Wall,-Wextra,-Wshadow,-Werror \
  -c shell/probe/cuda/kernels.cu -o /dev/null
for source in shell/probe/cuda/*.cpp; do
  "$cxx" -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wsign-conversion -Werror -I. -Icore/include \
    -isystem "$include" -fsyntax-only "$source"
done
