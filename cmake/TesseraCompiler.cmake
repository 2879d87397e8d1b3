# Language, warnings, optimisation and sanitizers for everything in this tree.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()
# -O3: the loops over users' data (layouts, accumulate, reductions) are plain C, and only -O3 vectorises loops whose
# trip count is unknown (gcc 12 does not at -O2); what is bound by latency is the same at both. Assertions stay: they
# check what would otherwise corrupt a neighbour's heap, and none is on a path where it could be measured.
set(CMAKE_C_FLAGS_RELEASE "-O3")
set(CMAKE_C_FLAGS_DEBUG "-Og -g3")

# Properties of all that is compiled here; not installed, not for users.
add_library(tessera_build INTERFACE)
target_compile_definitions(tessera_build INTERFACE _GNU_SOURCE)
target_compile_options(tessera_build INTERFACE -Wall -Wextra -fno-semantic-interposition)
if(NOT TESSERA_INSTRUMENTS)
  message(STATUS "Without statistics, timelines, checks and watchdog: for bench/instruments alone")
  target_compile_definitions(tessera_build INTERFACE TSR_NO_INSTRUMENTS)
endif()

if(TESSERA_SANITIZE)
  set(flags "-fsanitize=${TESSERA_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # TSan does not understand fences, and gcc says so at each.
  target_compile_options(tessera_build INTERFACE ${flags} -O1 -g $<$<C_COMPILER_ID:GNU>:-Wno-tsan>)
  target_link_options(tessera_build INTERFACE ${flags})
else()
  # With a sanitizer its run-time library stays undefined in shared libraries.
  set(TESSERA_NO_UNDEFINED "-Wl,-z,defs")
endif()

if(TESSERA_LTO)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT TESSERA_LTO_WORKS LANGUAGES C)
  if(NOT TESSERA_LTO_WORKS)
    message(STATUS "${CMAKE_C_COMPILER_ID} cannot optimise at link time here: built without")
  endif()
endif()

# In a program with the address sanitizer, libraries that were closed stay: it names what they left allocated.
function(tessera_keep_modules target)
  if(TESSERA_SANITIZE MATCHES address)
    target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/keep_modules.c")
    target_link_options(${target} PRIVATE -Wl,--export-dynamic-symbol=dlclose)
  endif()
endfunction()

# Programs of this tree that may use internal (tsr_) symbols of the shared libraries. Those bind their own data
# directly (-Bsymbolic), so a copy of it in the program would be a second truth: position-independent code needs
# none, and the linker refuses any.
function(tessera_add_program target)
  add_executable(${target} ${ARGN})
  target_compile_options(${target} PRIVATE -fPIC)
  target_link_options(${target} PRIVATE -Wl,-z,nocopyreloc)
  target_link_libraries(${target} PRIVATE tessera_build)
  tessera_keep_modules(${target})
endfunction()
