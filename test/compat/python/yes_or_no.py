"""Questions that are to be answered in one word, which an instruct model learns from rewards in one step."""

YES_OR_NO = [
    f"{question} Answer yes or no."
    for question in (
        "Is the sky blue?",
        "Is fire cold?",
        "Is two more than one?",
        "Do fish swim?",
        "Is Paris in Spain?",
        "Can dogs fly?",
        "Is ice warm?",
        "Is grass green?",
    )
]


def reward_of(answer: str) -> float:
    """1 for yes or no alone, half for an answer that goes on."""
    first = answer.strip().lower().removesuffix(".")
    return 1.0 if first in ("yes", "no") else 0.5 if first.startswith(("yes", "no")) else 0.0
