# SPDX-License-Identifier: Apache-2.0
"""Parameters of kernels: their types as the source has them, and the values that they are given.

A code object has sizes and kinds of its kernels' parameters, and no types. These are in the kernel's mangled name, and
of kernels with C linkage in the source. A type that neither tells is not checked.
"""
import re
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from . import _core

_TYPES = {
    "bool": "?", "char": "i1", "signed char": "i1", "unsigned char": "u1",
    "short": "i2", "short int": "i2", "unsigned short": "u2", "unsigned short int": "u2",
    "int": "i4", "signed int": "i4", "signed": "i4", "unsigned int": "u4", "unsigned": "u4", "uint": "u4",
    "long": "i8", "long int": "i8", "unsigned long": "u8", "unsigned long int": "u8", "size_t": "u8", "ulong": "u8",
    "long long": "i8", "long long int": "i8", "unsigned long long": "u8", "unsigned long long int": "u8",
    "float": "f4", "double": "f8", "_Float16": "f2", "__half": "f2", "half": "f2",
    **{f"{sign}int{bits}_t": f"{'u' if sign else 'i'}{bits // 8}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
_QUALIFIERS = {"const", "volatile", "restrict", "__restrict__", "__restrict", "struct", "std", "__global", "__constant",
               "__local", "global", "constant", "local"}


@dataclass(frozen=True)
class Parameter:
    """One of a kernel's parameters. `dtype`: its own, or of what it points to; None: not known."""
    name: str
    kind: str  # "by_value", "global_buffer", "dynamic_shared_pointer" ...: as in the code object's metadata
    size: int  # bytes
    dtype: Optional[np.dtype] = None
    constant: bool = False  # a pointer through which the kernel does not write

    @property
    def is_pointer(self) -> bool:
        return self.kind == "global_buffer"


def _words_type(words: "list[str]") -> Optional[np.dtype]:
    name = _TYPES.get(" ".join(words)) or _TYPES.get(" ".join(words[:-1]))
    return np.dtype(name) if name else None


def type_of(declaration: str) -> "tuple[Optional[np.dtype], bool, bool, str]":
    """The type, whether it is a pointer and one to constants, and the name, of "const float* __restrict__ x"."""
    text = re.sub(r"=.*", "", declaration)
    stars = text.count("*") + text.count("[")
    front, _, behind = re.sub(r"\[[^]]*\]", "*", text).partition("*") if stars else (text, "", "")
    all_words = re.findall(r"\w+", front)
    if "[" in text:  # "float x[]": the name is in front
        all_words, behind = (all_words[:-1], all_words[-1]) if len(all_words) > 1 else (all_words, "")
    words = [w for w in all_words if w not in _QUALIFIERS]
    names = [w for w in re.findall(r"\w+", behind) if w not in _QUALIFIERS] if stars else words
    plain = stars <= 1 and not re.search(r"[<>&(]", text)
    name = "" if not names or (not stars and (" ".join(words) in _TYPES or len(words) == 1)) else names[-1]
    return _words_type(words) if plain else None, stars > 0, "const" in all_words, name


def _split(text: str) -> "list[str]":
    parts, depth, part = [], 0, ""
    for letter in text:
        depth += (letter in "(<[{") - (letter in ")>]}")
        if letter == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += letter
    return parts + [part] if part.strip() not in ("", "void") or parts else []


def _in_parentheses(text: str, begin: int) -> Optional[str]:
    depth = 0
    for at in range(begin, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return text[begin + 1:at]
    return None


def declarations(demangled: str, source: Optional[str]) -> "Optional[list[str]]":
    """What stands in the kernel's parentheses; None: it is not known, or there are several."""
    if demangled.endswith(")"):
        depth = 0
        for at in range(len(demangled) - 1, -1, -1):
            depth += (demangled[at] == ")") - (demangled[at] == "(")
            if depth == 0:
                return _split(demangled[at + 1:-1])
    if source is None:
        return None
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", source, flags=re.S)
    found = set()
    for match in re.finditer(r"(?:__global__|__kernel|\bkernel)\b[^;{}]*?\b" + re.escape(demangled) + r"\s*\(", text):
        inside = _in_parentheses(text, match.end() - 1)
        if inside is not None:
            found.add(" ".join(inside.split()))
    return _split(found.pop()) if len(found) == 1 else None


def parameters_of(kernel: "dict[str, Any]", source: Optional[str]) -> "list[Parameter]":
    given = kernel["parameters"]
    declared = declarations(kernel["demangled"], source)
    if declared is None or len(declared) != len(given):
        declared = [p["type"] + " " + p["name"] for p in given]
    all_of_them = []
    for p, declaration in zip(given, declared):
        dtype, pointer, constant, name = type_of(declaration)
        if pointer != (p["kind"] != "by_value") or (not pointer and dtype is not None and dtype.itemsize != p["size"]):
            dtype, constant = None, False  # the text speaks of something else
        all_of_them.append(Parameter(p["name"] or name, p["kind"], p["size"], dtype, constant))
    return all_of_them


def _refuse(place: str, problem: str) -> None:
    raise _core.InputError(f"{place}: {problem}")


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # Python prints no number so long
        return "a number that is too long to print"
    return text if len(text) <= 80 else text[:77] + "..."


def _check_array(value: Any, p: Parameter, place: str) -> np.ndarray:
    if not isinstance(value, np.ndarray):
        _refuse(place, f"is a pointer, and wants a NumPy array, or None; {type(value).__name__} is given")
    if isinstance(value, np.ma.MaskedArray):
        _refuse(place, "a masked array; the kernel knows nothing of masks")
    if value.dtype.hasobject or value.dtype.kind in "mM":
        _refuse(place, f"an array of Python objects or times ({value.dtype})")
    if not value.dtype.isnative:
        _refuse(place, f"an array in the other byte order ({value.dtype.str}); the machine is little-endian")
    if p.dtype is not None and value.dtype != p.dtype:
        _refuse(place, f"an array of {value.dtype}; the kernel has a pointer to {p.dtype}")
    if value.size == 0:
        _refuse(place, "an empty array; None is the null pointer")
    if not value.flags.c_contiguous:
        _refuse(place, "the array is not contiguous in memory; numpy.ascontiguousarray makes one that is")
    if not p.constant and not value.flags.writeable:
        _refuse(place, "the array is read-only, and the kernel has no pointer to constants")
    return value


def _whole_number(value: Any, dtype: np.dtype, place: str) -> bytes:
    if isinstance(value, (float, np.floating)) or not isinstance(value, (bool, np.bool_, int, np.integer)):
        _refuse(place, f"the kernel takes {dtype}; {type(value).__name__} {_shown(value)} is given")
    number, info = int(value), np.iinfo(dtype)
    if not info.min <= number <= info.max:
        _refuse(place, f"{_shown(number)} is no {dtype}, which is {info.min} to {info.max}")
    return dtype.type(number).tobytes()


def _real_number(value: Any, dtype: np.dtype, place: str) -> bytes:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        _refuse(place, f"the kernel takes {dtype}; {type(value).__name__} {_shown(value)} is given")
    with np.errstate(over="ignore"):
        try:
            number = dtype.type(value)
        except OverflowError:
            number = dtype.type(np.inf)
    if np.isinf(number) and not (isinstance(value, (float, np.floating)) and np.isinf(value)):
        _refuse(place, f"{_shown(value)} is too large for {dtype}")
    return number.tobytes()


def scalar_bytes(value: Any, p: Parameter, place: str) -> bytes:
    """A parameter that is passed by value."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, np.ndarray):
        _refuse(place, "is no pointer, and an array is given")
    if p.kind == "dynamic_shared_pointer":
        what = np.dtype(np.uint32)
        if int.from_bytes(_whole_number(value, what, place + " (a pointer to local memory; the size of its block)"),
                          "little") == 0:
            _refuse(place, "a pointer to local memory takes the size of its block in bytes, which is not 0")
        return int(value).to_bytes(p.size, "little")
    if p.dtype is not None:
        if p.dtype.kind == "b":
            if not isinstance(value, (bool, np.bool_)):
                _refuse(place, f"the kernel takes bool; {type(value).__name__} {_shown(value)} is given")
            return bytes([bool(value)])
        return (_real_number if p.dtype.kind == "f" else _whole_number)(value, p.dtype, place)
    if isinstance(value, (np.generic, bytes, bytearray)):
        raw = value.tobytes() if isinstance(value, np.generic) else bytes(value)
        if isinstance(value, np.generic) and (value.dtype.hasobject or not value.dtype.isnative):
            _refuse(place, f"a value of {value.dtype.str}")
        if len(raw) != p.size:
            _refuse(place, f"the kernel takes {p.size} bytes, {len(raw)} are given")
        return raw
    _refuse(place, f"the type of this parameter of {p.size} bytes is not known: give a NumPy scalar "
                   f"(numpy.uint32(7)) or bytes, not {type(value).__name__}")
    raise AssertionError


def bind(kernel: str, parameters: "list[Parameter]", given: "list[Any]") -> "tuple[list[Any], list[tuple[Any, bool, str]]]":
    """What the core's launch takes: values, of which those of arrays are their numbers, and the arrays."""
    if len(given) != len(parameters):
        _refuse(f"kernel {kernel}", f"takes {len(parameters)} arguments, {len(given)} are given")
    values: "list[Any]" = []
    arrays: "list[list[Any]]" = []  # [array, written, name in messages, name]
    for n, (p, value) in enumerate(zip(parameters, given)):
        name = f"argument {n}" + (f" ({p.name})" if p.name else "")
        place = f"kernel {kernel}, {name}"
        if not p.is_pointer:
            values.append(scalar_bytes(value, p, place))
            continue
        if value is None:
            values.append(bytes(p.size))
            continue
        value = _check_array(value, p, place)
        for number, (other, _, others_name, _) in enumerate(arrays):
            if value.ctypes.data == other.ctypes.data and value.nbytes == other.nbytes:
                arrays[number][1] |= not p.constant  # one array, as one buffer
                values.append(number)
                break
            if np.may_share_memory(value, other):
                _refuse(place, f"overlaps {others_name} in memory; each array has a buffer of its own in the machine")
        else:
            values.append(len(arrays))
            arrays.append([value, not p.constant, name, p.name or str(n)])
    for array, written, name, _ in arrays:
        if written and not array.flags.writeable:
            _refuse(f"kernel {kernel}, {name}", "the array is read-only, and another parameter writes it")
    # The arrays themselves and no views: where one has gone elsewhere in memory, the core sees that.
    return values, [(array, written, name) for array, written, _, name in arrays]
