include(TesseraFindGa)

# tessera_add_ga_program(TARGET SOURCE): on Global Arrays over our ARMCI. No tessera_add_program: Global Arrays was compiled
# to copy data of MPI's into the program, which those forbid; and it knows no internal symbols.
function(tessera_add_ga_program target)
  add_executable(${target} ${ARGN})
  tessera_keep_modules(${target})
  target_include_directories(${target} SYSTEM PRIVATE ${MPI_C_INCLUDE_DIRS})
  target_link_libraries(${target} PRIVATE
    tessera_build "${GA_LIBRARY}" tessera-armci ${GA_NUMERICS} ${MPI_C_LIBRARIES} m)
endfunction()
