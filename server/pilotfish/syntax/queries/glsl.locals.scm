; inherits: c.locals
