; inherits: fortran.locals
