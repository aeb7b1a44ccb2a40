; inherits: typescript.locals
