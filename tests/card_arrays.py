"""Arrays as CuPy has them: they take none of NumPy's, and CuPy's functions alone know them."""

import numpy as np

FUNCTIONS = {
    "arange",
    "asarray",
    "clip",
    "dot",
    "empty",
    "exp",
    "flatnonzero",
    "log",
    "maximum",
    "minimum",
    "ones",
    "sqrt",
    "where",
    "zeros",
    "zeros_like",
}
"""What is used of a library; CuPy 13 has all of it."""


class Mixed(TypeError):
    """An array of the processor beside one of the card."""


def refuse(things):
    """CuPy takes its own arrays and Python's or NumPy's numbers."""
    for thing in things:
        if isinstance(thing, np.ndarray) and not isinstance(thing, OnCard) and thing.ndim:
            raise Mixed("an array of NumPy's")
        if isinstance(thing, tuple | list):
            refuse(thing)


def own(thing):
    """An array as NumPy's own, in the same memory."""
    return thing.view(np.ndarray) if isinstance(thing, OnCard) else thing


class OnCard(np.ndarray):
    """An array that takes no other of the processor's."""

    def __array_ufunc__(self, ufunc, method, *given, out=None, **more):
        refuse([*given, *(out or ())])
        if out is not None:
            more["out"] = tuple(map(own, out))
        found = getattr(ufunc, method)(*map(own, given), **more)
        return out[0] if out is not None else np.asarray(found).view(OnCard)

    def __array_function__(self, function, types, given, more):
        raise Mixed(f"NumPy's {function.__name__} with an array of the card")

    def __getitem__(self, at):
        refuse(at if isinstance(at, tuple) else [at])
        return np.asarray(super().__getitem__(at)).view(OnCard)

    def __setitem__(self, at, value):
        refuse([value, *(at if isinstance(at, tuple) else [at])])
        super().__setitem__(at, value)


class Library:
    """NumPy's functions by the names that CuPy has too; their arrays are on the card."""

    def __getattr__(self, name):
        if name not in FUNCTIONS:
            raise AttributeError(f"is {name} one of CuPy's? then it belongs in FUNCTIONS")
        function = getattr(np, name)

        def call(*given, **more):
            if name != "asarray":
                refuse([*given, *more.values()])
            out = more.get("out")
            if out is not None:
                more["out"] = own(out)
            found = function(*map(own, given), **more)
            return out if out is not None else np.asarray(found).view(OnCard)

        return call
