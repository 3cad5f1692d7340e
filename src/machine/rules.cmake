# The floating arithmetic is proven against MPFR.
target_link_libraries(machine_test PRIVATE mpfr gmp)
