"""Answers to JSON schemas: every one that comes is valid, by validators that Heddle has no part in.

The schemas are the official JSON-Schema-Test-Suite's, as the `jsonschema` package carries it in its sources, and pydantic's.
"""

import json
import os
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import openai
import pytest
from jsonschema import Draft202012Validator, FormatChecker
from pydantic_schemas import adapters

BASE = "heddle/shuttle-1m"
SUITE = "jsonschema==4.26.0"
# Of these every schema that has a valid value is answered.
KEYWORDS = """additionalProperties const contains dependentRequired dependentSchemas enum exclusiveMaximum exclusiveMinimum
if-then-else infinite-loop-detection items maxItems maxLength maxProperties maximum minItems minLength minProperties minimum
multipleOf not oneOf pattern patternProperties prefixItems properties propertyNames required type uniqueItems""".split()
OTHERS = "allOf anyOf anchor defs dynamicRef format maxContains minContains ref refRemote unevaluatedItems unevaluatedProperties".split()
# Schemas without any valid value, and two whose values this model is most unlikely to draw.
UNANSWERED = {
    "contains keyword with boolean schema false",
    "dependent subschema incompatible with root",
    "float division = inf",
    "forbid everything with empty schema",
    "forbid everything with boolean schema true",
    "oneOf with boolean schemas, all false",
    "oneOf with boolean schemas, more than one true",
    "oneOf with boolean schemas, all true",
    "collect annotations inside a 'not', even if collection is disabled",
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("suite")
    # CI has downloaded it beside everything else.
    downloads = Path(os.environ.get("JSON_SCHEMA_SUITE", folder))
    if not list(downloads.glob("*.tar.gz")):
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", downloads, SUITE]
        subprocess.run(pip, check=True)
    with tarfile.open(next(downloads.glob("*.tar.gz"))) as sources:
        sources.extractall(folder, filter="data")
    return next(folder.glob("*/json/tests/draft2020-12"))


@pytest.fixture(scope="module")
def ask(base_url, api_key):
    with openai.OpenAI(api_key=api_key, base_url=base_url, max_retries=3) as client:

        def answers(schema: dict, **fields) -> list[str]:
            """The answers that ended by themselves: one that the limit cut off is not whole."""
            response_format = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
            asked = {"model": BASE, "messages": [{"role": "user", "content": "Answer."}], "seed": 7, "n": 3}
            asked |= {"max_tokens": 250, "response_format": response_format, **fields}
            choices = client.chat.completions.create(**asked).choices
            return [choice.message.content for choice in choices if choice.finish_reason == "stop"]

        yield answers


@pytest.mark.parametrize("keyword", KEYWORDS + OTHERS)
def test_every_answer_to_the_official_suite_is_valid_or_the_schema_refused_by_name(suite, ask, keyword):
    groups = [group for group in json.loads((suite / f"{keyword}.json").read_text()) if isinstance(group["schema"], dict)]

    def unanswered(group: dict) -> str | None:
        try:
            texts = ask(group["schema"])
        except openai.BadRequestError as error:
            assert error.param == "response_format", group["description"]
            return group["description"]
        validator = Draft202012Validator(group["schema"], format_checker=FormatChecker())
        for text in texts:
            assert list(validator.iter_errors(json.loads(text))) == [], (group["description"], text)
        return None

    with ThreadPoolExecutor(2) as pool:
        refused = {description for description in pool.map(unanswered, groups) if description}
    if keyword in KEYWORDS:
        assert refused - UNANSWERED == set()


ADAPTERS = adapters()


@pytest.mark.parametrize("name", ADAPTERS)
def test_every_answer_to_a_schema_of_pydantic_is_read_by_it(ask, name):
    texts = ask(ADAPTERS[name].json_schema(), n=6, max_tokens=400)
    assert texts
    for text in texts:
        ADAPTERS[name].validate_json(text)
