! The outside program on Global Arrays, in Fortran, with integers of 8 bytes as Debian compiled it. Tessera starts MPI.
program use_ga
  use, intrinsic :: iso_c_binding, only: c_int32_t
  implicit none
#include "mafdecls.fh"
#include "global.fh"
  interface
    function tessera_units() bind(c)
      import :: c_int32_t
      integer(c_int32_t) :: tessera_units
    end function
  end interface
  integer :: array, counter, nodes, i, before
  double precision :: values(10, 21)

  call ga_initialize()
  nodes = ga_nnodes()
  if (.not. ma_init(MT_DBL, 100000, 100000)) call ga_error('ma_init', 1)
  if (.not. ga_create(MT_DBL, 20, 30, 'array', 0, 0, array)) call ga_error('ga_create', 1)
  if (.not. ga_create(MT_INT, 1, 1, 'counter', 0, 0, counter)) call ga_error('ga_create', 2)
  call ga_zero(array)
  call ga_zero(counter)
  do i = 1, 21
    values(:, i) = 2 * i
  end do
  call ga_acc(array, 3, 12, 4, 24, values, 10, 0.5d0)
  before = ga_read_inc(counter, 1, 1, 1)
  call ga_sync()
  call ga_get(array, 3, 12, 4, 24, values, 10)
  do i = 1, 21
    if (any(values(:, i) /= i * nodes)) call ga_error('wrong sum', i)
  end do
  if (ga_read_inc(counter, 1, 1, 0) /= nodes) call ga_error('wrong counter', 1)
  if (tessera_units() /= nodes) call ga_error('Global Arrays does not run on Tessera', 1)
  if (ga_nodeid() == 0) print '(a,i0)', 'size ', nodes
  call ga_terminate()
end program
