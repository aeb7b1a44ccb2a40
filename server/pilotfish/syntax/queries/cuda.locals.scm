; inherits: cpp.locals
