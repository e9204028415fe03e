"""Values in the forms in which Heddle's tables have them."""

import json
import math
import re
import unicodedata
from datetime import UTC, datetime

# PostgreSQL's text holds neither.
_UNTOLD = re.compile("[\0\ud800-\udfff]")
_ALIAS_OF_OURS = re.compile(r"v\d+|[\da-f]{64}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}")
# As Heddle reads histories: deeper values and longer names stay in their lines.
MAX_DEPTH = 8
MAX_METRIC_NAME = 256
# Numbers that JSON lacks, as texts.
NON_FINITE = ("NaN", "Infinity", "-Infinity")


def moment(text: str | None) -> str:
    """ISO 8601 with a zone: what names none is UTC."""
    text = text or "1970-01-01T00:00:00Z"
    return text if text.endswith("Z") or "+" in text[10:] else f"{text}Z"


def moment_of(seconds: object) -> str | None:
    """Of seconds since 1970; None for what is none."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < 1e11:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def storable(value):
    """JSON as databases read it: NaN and Infinity are null, and no text holds what text can't."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, str):
        return _UNTOLD.sub("\ufffd", value)
    if isinstance(value, dict):
        return {storable(str(key)): storable(each) for key, each in value.items()}
    return [storable(each) for each in value] if isinstance(value, list | tuple) else value


def numbers(line: dict, prefix: str = "", depth: int = 0):
    """The metrics of a line of history: nested ones have names with dots. What isn't finite is a text that says so."""
    for key, value in line.items():
        # Steps and times are the line's own.
        if depth == 0 and key.startswith("_"):
            continue
        name = prefix + key
        if isinstance(value, dict):
            if "_type" not in value and depth < MAX_DEPTH:
                yield from numbers(value, f"{name}.", depth + 1)
        elif (number := _number(value)) is not None and 0 < len(name) <= MAX_METRIC_NAME and _is_printable(name):
            yield name, number


def _number(value: object) -> int | float | str | None:
    if isinstance(value, str):
        return value if value in NON_FINITE else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return value if math.isfinite(value) else json.dumps(value)
    except OverflowError:
        return None


def _is_printable(name: str) -> bool:
    return not any(unicodedata.category(character) in ("Cc", "Cs") for character in name)


def is_name(text: str) -> bool:
    return 0 < len(text) <= 256 and "/" not in text and _is_printable(text)


def is_alias(text: str) -> bool:
    return is_name(text) and not _ALIAS_OF_OURS.fullmatch(text)


def is_path(path: str) -> bool:
    """Relative, and with no way out: what Heddle stores a file under."""
    parts = path.split("/")
    return (
        len(path.encode(errors="replace")) <= 1024
        and "\\" not in path
        and _is_printable(path)
        and not any(part in ("", ".", "..") for part in parts)
        and not re.match("[A-Za-z]:", path)
    )
