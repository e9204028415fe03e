"""Whether two answers say the same, apart from what each server makes up: ids of its own, times, users."""

import json
import re
from typing import Any

from both_servers import Answers

MADE_UP = {"id", "created_at", "wb_user_id", "wb_username", "deleted_at", "size_bytes", "effective_date", "created_by"}


def normal(value: Any) -> Any:
    """What is unset may be null or missing."""
    if isinstance(value, dict):
        kept = {name: normal(item) for name, item in value.items() if name not in MADE_UP}
        return {name: item for name, item in kept.items() if item is not None}
    if isinstance(value, list):
        return [normal(item) for item in value]
    return value


def difference(answers: Answers) -> str | None:
    """How the answers differ, if they do. Of refusals only the fact is compared."""
    if answers.reference_refused and answers.heddle_refused:
        return None
    if answers.reference_refused or answers.heddle_refused:
        return f"reference: {answers.reference_refused}, Heddle: {answers.heddle_refused}"
    reference, heddle = normal(answers.reference), normal(answers.heddle)
    return None if reference == heddle else f"reference: {shown(reference)}\n  Heddle:    {shown(heddle)}"


def shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)[:1500]


class Differences:
    """Collects what differs; what is listed in known_differences.toml for the kind must occur, the rest must not."""

    def __init__(self, kind: str, known: dict[str, dict]) -> None:
        self._kind = kind
        self._known = {name: entry for name, entry in known.items() if kind in entry["kinds"]}
        self._occurred: set[str] = set()
        self._found: list[str] = []

    def ask(self, both, path: str, body: dict, **options) -> Answers:
        answers = both.ask(path, body, **options)
        self.note(path, body, difference(answers))
        return answers

    def note(self, path: str, body: dict, found: str | None) -> None:
        if found is None:
            return
        text = f"{path} {json.dumps(body, ensure_ascii=False)}"
        names = [name for name, entry in self._known.items() if re.search(entry["part"], text)]
        self._occurred.update(names)
        if not names:
            self._found.append(f"{text}\n  {found}")

    def check(self) -> None:
        assert not self._found, f"{len(self._found)}:\n" + "\n".join(self._found[:12])
        gone = sorted(self._known.keys() - self._occurred)
        assert not gone, f"listed for {self._kind}, and no difference any more: {gone}"
