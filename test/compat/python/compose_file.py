"""Holds docker-compose.yml to the Compose Specification, strictly, with the values of .env.example in it, as Docker fills them in."""

import re
import sys

from compose_spec import PyOptions

# What whoever deploys has to set.
GIVEN = {"POSTGRES_PASSWORD": "a/b#c", "ADMIN_API_KEY": "k" * 40, "SECRETS_KEY": "c2VjcmV0"}


def settings(path: str) -> dict[str, str]:
    lines = [line.strip() for line in open(path) if re.match(r"\w+=", line)]
    return {name: value for name, _, value in (line.partition("=") for line in lines) if value} | GIVEN


def filled(text: str, values: dict[str, str]) -> str:
    def value_of(match: re.Match[str]) -> str:
        name, kind, rest = match.groups()
        if name in values:
            return values[name]
        if kind == "-":
            return rest
        raise SystemExit(f"{name} has no value")

    return re.sub(r"\$\{(\w+)(?::([-?])([^}]*))?\}", value_of, text)


def main(compose: str, env: str) -> None:
    PyOptions(apply_merge=True).from_yaml(filled(open(compose).read(), settings(env)))


if __name__ == "__main__":
    main(*sys.argv[1:])
