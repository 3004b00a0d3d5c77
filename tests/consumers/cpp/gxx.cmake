# SPDX-License-Identifier: MIT
include(${CMAKE_CURRENT_LIST_DIR}/gcc.cmake)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT}")
