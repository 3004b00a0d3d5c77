# SPDX-License-Identifier: MIT
# Not freestanding, where main() would be called as any other function of C++.
include(${CMAKE_CURRENT_LIST_DIR}/clang.cmake)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET ${CMAKE_C_COMPILER_TARGET})
