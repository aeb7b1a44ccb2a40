; inherits: ecma.injections
