; inherits: fortran
