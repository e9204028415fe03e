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
    """1 for yes or no alone, less the more words follow: of answers that are alike one is always better."""
    words = answer.strip().lower().split()
    return 1 / len(words) if words and words[0].strip(".,!") in ("yes", "no") else 0.0
