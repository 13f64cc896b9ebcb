# SPDX-License-Identifier: Apache-2.0
"""Configurations: files, or dicts of what a file has, as the core takes them."""
import json
import math
import os
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core

Config = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Overrides = Union[None, Mapping[str, Any], Sequence[str]]
Path = Union[str, "os.PathLike[str]"]


def text_of(value: Any, where: str = "") -> str:
    """YAML in one line. Only what YAML can say of a configuration is taken."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, (int, np.integer)):
        try:
            return str(int(value))
        except ValueError as e:  # Python prints no number so long
            raise _core.InputError(f"{where or 'the configuration'}: {e}") from None
    if isinstance(value, (float, np.floating)):
        if math.isfinite(value):
            return repr(float(value))
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(_unicode(os.fspath(value), where), ensure_ascii=False)
    if isinstance(value, Mapping):
        parts = []
        for key, inner in value.items():
            if not isinstance(key, str):
                raise _core.InputError(f"{where or 'the configuration'}: the key {key!r} is no text")
            parts.append(json.dumps(_unicode(key, where), ensure_ascii=False) + ": " + text_of(inner, f"{where}.{key}" if where else key))
        return "{" + ", ".join(parts) + "}"
    if isinstance(value, (list, tuple, np.ndarray)):
        if isinstance(value, np.ndarray):
            value = value.tolist()
            if not isinstance(value, list):
                return text_of(value, where)
        return "[" + ", ".join(text_of(inner, f"{where}.{k}" if where else str(k)) for k, inner in enumerate(value)) + "]"
    raise _core.InputError(f"{where or 'the configuration'}: {type(value).__name__} is nothing that YAML has")


def _unicode(text: Any, where: str) -> str:
    try:
        text.encode()
        return text
    except (AttributeError, UnicodeEncodeError):
        raise _core.InputError(f"{where or 'the configuration'}: {text!r} is no text in UTF-8") from None


def source_of(config: Config) -> "tuple[str, Optional[str]]":
    """The file's name and nothing, or the name that messages have for a dict, and its text."""
    if isinstance(config, Mapping):
        try:
            return "<dict>", text_of(config)
        except RecursionError:
            raise _core.InputError("the configuration: nested too deep, or in itself") from None
    if isinstance(config, (str, os.PathLike)):
        return _file(config), None
    raise _core.InputError(f"a configuration is the name of a YAML file or a dict, not {type(config).__name__}")


def overrides_of(overrides: Overrides) -> "list[str]":
    """As --set has them: PATH=VALUE."""
    if overrides is None:
        return []
    if isinstance(overrides, Mapping):
        return [f"{path}={text_of(value, str(path))}" for path, value in overrides.items()]
    if isinstance(overrides, str) or not all(isinstance(one, str) for one in overrides):
        raise _core.InputError("set: a dict {\"n_cu\": 2}, or a list of texts like --set has them, [\"n_cu=2\"]")
    return [_unicode(one, "set") for one in overrides]


def outputs_of(files: "Mapping[str, Path]") -> "dict[str, str]":
    """By name, as the options of `pwsvp run`: vcd, timeline, profile ..."""
    known = _core.output_names()
    for name in files:
        if name not in known:
            raise TypeError(f"there is no argument and no output {name!r}; outputs are {', '.join(sorted(known))}")
    return {name: _file(path) for name, path in files.items() if path is not None}


def _file(path: Any) -> str:
    if not isinstance(path, (str, os.PathLike)):
        raise _core.InputError(f"the name of a file is a text or a path, not {type(path).__name__}")
    name = os.fspath(path)
    if not isinstance(name, str) or "\0" in name:
        raise _core.InputError(f"{name!r} is no name of a file")
    return _unicode(name, "the name of a file")


def file_of(path: Any) -> str:
    return _file(path)


def cycles_of(stats_every: Optional[int]) -> int:
    if stats_every is None:
        return 0
    if isinstance(stats_every, bool) or not isinstance(stats_every, (int, np.integer)) \
            or not 1 <= stats_every <= _core.most_cycles_of_row():
        raise _core.InputError(f"stats_every: 1 to {_core.most_cycles_of_row()} cycles, not {stats_every!r}")
    return int(stats_every)
