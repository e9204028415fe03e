"""Recorded responses and messages: the tokens that are trained on are those that ART itself would train on."""

import copy
import math
import struct

import pytest
from art_client import art, nothing_but_base_url_and_api_key  # noqa: F401
from engine_programs import run_program
from recorded_exchanges import MODEL, RandomExchanges

TRAJECTORIES = 150
PROTOCOLS = ("responses", "messages")


def trained(trajectories: list[dict]) -> list[dict]:
    return run_program("recorded", {"model": MODEL, "trajectories": trajectories})


def samples(sequences) -> list[tuple]:
    """Each token that is trained on once: all before it, itself, and its log probability, a float32 in the engine."""
    return sorted(
        (tuple(tokens[: target + 1]), *struct.unpack("f", struct.pack("f", logprob)))
        for tokens, targets, logprobs in sequences
        for target, logprob in zip(targets, logprobs, strict=True)
    )


class Letters:
    """A tokenizer, which ART needs where nobody says the tokens."""

    def __call__(self, text: str, **_) -> dict:
        return {"input_ids": list(text.encode())}

    def apply_chat_template(self, messages: list[dict], *, add_generation_prompt=False, tokenize=True, **_):
        text = "".join(f"<{message['role']}>{message['content']}" for message in messages)
        text += "<assistant>" * add_generation_prompt
        return list(text.encode()) if tokenize else text


class NotExactError(Exception):
    """ART's trainer: "Exchange training requires exact inference-provided token IDs"."""


def art_samples(exchanges: dict, tokenizer: Letters | None = None) -> list[tuple]:
    """By the client: a token that several histories share is trained on in the first of them."""
    trajectory = art.Trajectory.model_validate({"exchanges": exchanges})
    histories = trajectory.tokenize(multi_history=True, model=MODEL, base_model="x", tokenizer=tokenizer).histories
    flags = art.trajectories.TokenFlag
    if not all(flag & flags.EXACT for history in histories for flag in history.flags):
        raise NotExactError
    masks = art.trajectories.first_occurrence_masks(histories, where=flags.SAMPLED)
    found = []
    for history, mask in zip(histories, masks, strict=True):
        targets = [at for at, is_trained in enumerate(mask) if is_trained]
        found.append((history.tokens, targets, [history.logprobs[at] for at in targets]))
    return samples(found)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_same_tokens_are_trained_on(protocol):
    source = RandomExchanges(11)
    trajectories = [source.trajectory(protocol) for _ in range(TRAJECTORIES)]
    # As the client writes them down.
    sent = [art.Trajectory.model_validate({"exchanges": each}).model_dump(mode="json") for each in trajectories]
    answers = trained([each["exchanges"] for each in sent])
    several = 0
    for trajectory, answer in zip(trajectories, answers, strict=True):
        assert answer["refused"] == []
        rows = [(each["tokens"], each["targets"], each["logprobs"]) for each in answer["sequences"]]
        found, expected = samples(rows), art_samples(trajectory)
        assert found == expected
        assert not any(math.isnan(logprob) for _, logprob in found)
        several += len(rows) > 1
    assert several > TRAJECTORIES / 10


def changed(protocol: str, change) -> dict:
    """A trajectory of one exchange, in whose response something is otherwise."""
    source = RandomExchanges(3)
    make = {"responses": source.response, "messages": source.message}[protocol]
    exchange, _, _ = make([], source.tokens(3), None)
    assert art_samples({protocol: [exchange]})
    exchange = copy.deepcopy(exchange)
    change(exchange["response"])
    return {protocol: [exchange]}


def without(*names: str):
    return lambda response: [response.pop(name, None) for name in names]


def with_generations(change):
    return lambda response: response.update(token_generations=change(response["token_generations"]))


REFUSED = [
    ("responses", without("token_generations"), "no token ids in token_generations"),
    ("responses", with_generations(lambda _: []), "no token ids in token_generations"),
    ("responses", with_generations(lambda _: "many"), "no token ids in token_generations"),
    ("responses", with_generations(lambda all: [{**all[0], "prompt_token_ids": []}, *all[1:]]), "no token ids"),
    ("responses", with_generations(lambda all: [{**all[0], "prompt_token_ids": None}, *all[1:]]), "no token ids"),
    (
        "responses",
        with_generations(lambda all: [{**without_tokens(all[0]), "output_tokens": [{"token": "yes"}]}, *all[1:]]),
        "no token ids",
    ),
    ("responses", with_generations(lambda all: [{**all[0], "output_indices": [7]}, *all[1:]]), "output_indices"),
    ("responses", with_generations(lambda all: [{**all[0], "output_indices": [0, 0]}, *all[1:]]), "output_indices"),
    ("responses", with_generations(lambda all: [{**all[0], "output_indices": []}]), "leave out an item"),
    ("messages", without("prompt_token_ids"), "prompt_token_ids"),
    ("messages", without("token_ids", "logprobs", "compact_logprobs"), "token_ids"),
    ("messages", lambda r: r.update(token_ids=[*r["token_ids"], 5]), "differ in number"),
]


def without_tokens(generation: dict) -> dict:
    return {
        name: value
        for name, value in generation.items()
        if name not in ("token_ids", "compact_logprobs", "output_tokens")
    }


@pytest.mark.parametrize(("protocol", "change", "reason"), REFUSED)
def test_what_art_refuses_is_refused_by_name(protocol, change, reason):
    exchanges = changed(protocol, change)
    [answer] = trained([exchanges])
    assert answer["sequences"] == []
    assert [reason in why for why in answer["refused"]] == [True], answer
    with pytest.raises((ValueError, NotExactError)):
        art_samples(exchanges, Letters())
