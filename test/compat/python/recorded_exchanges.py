"""Exchanges of `/v1/responses` and `/v1/messages` with random tokens, as ART records them from servers that tell the tokens."""

import random
from datetime import UTC, datetime, timedelta

MODEL = "wandb-artifact:///weavers/loom/shuttle"


class RandomExchanges:
    """Conversations that go on, branch off, or lose what was said before."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0

    def trajectory(self, protocol: str) -> dict:
        make = {"responses": self.response, "messages": self.message}[protocol]
        told: list[tuple[list, list[int], str | None]] = [([], [], None)]
        exchanges = []
        for _ in range(self.random.randint(1, 6)):
            items, tokens, previous = self.random.choice(told[-3:])
            lost = tokens and self.random.random() < 0.2
            prompt = [*(tokens[:-1] if lost else tokens), *self.tokens(3)]
            exchange, said, whole = make(items, prompt, previous)
            told.append((said, whole, exchange["response"]["id"]))
            exchanges.append(exchange)
        return {protocol: exchanges}

    def response(self, items: list, prompt: list[int], previous: str | None) -> tuple[dict, list, list[int]]:
        """Of one generation or two, of which the second reads what a tool answered to the first."""
        asked = [{"role": "user", "content": f"question {self.count}"}]
        output, generations, whole = [], [], prompt
        for last in ([True] if self.random.random() < 0.7 else [False, True]):
            sampled = self.tokens(4)
            generations.append(self.generation(whole, sampled, [len(output)]))
            output.append(self.said() if last else self.called())
            whole = [*whole, *sampled]
            if not last:
                output.append(self.answered())
                whole = [*whole, *self.tokens(2)]
        # What went before is either named or said again.
        is_named = previous is not None and self.random.random() < 0.5
        request = {"model": MODEL, "input": asked if is_named else [*items, *asked]}
        if is_named:
            request["previous_response_id"] = previous
        response = {
            **self.id("resp"),
            "object": "response",
            "created_at": 1,
            "model": MODEL,
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "status": "completed",
            "token_generations": generations,
        }
        return self.exchange(request, response), [*items, *asked, *output], whole

    def generation(self, prompt: list[int], sampled: list[int], indices: list[int]) -> dict:
        logprobs = [-self.random.random() for _ in sampled]
        told = {"prompt_token_ids": prompt, "output_indices": indices}
        form = self.random.choice(["ids", "names", "compact"])
        if form == "compact":
            return {**told, "token_ids": sampled, "compact_logprobs": logprobs}
        names = [{"token_id": id} if form == "ids" else {"token": f"token_id:{id}"} for id in sampled]
        return {**told, "output_tokens": [{**name, "logprob": lp} for name, lp in zip(names, logprobs, strict=True)]}

    def message(self, items: list, prompt: list[int], _: str | None) -> tuple[dict, list, list[int]]:
        messages = [*items, {"role": "user", "content": f"question {self.count}"}]
        content = [{"type": "text", "text": f"answer {self.count}"}]
        sampled = self.tokens(4)
        response = {
            **self.id("msg"),
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": content,
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": len(prompt), "output_tokens": len(sampled)},
            "prompt_token_ids": prompt,
            "token_ids": sampled,
            self.random.choice(["logprobs", "compact_logprobs"]): [-self.random.random() for _ in sampled],
        }
        request = {"model": MODEL, "max_tokens": 50, "messages": messages}
        said = [*messages, {"role": "assistant", "content": content}]
        return self.exchange(request, response), said, [*prompt, *sampled]

    def said(self) -> dict:
        part = {"type": "output_text", "text": f"answer {self.count}", "annotations": []}
        return {**self.id("msg"), "type": "message", "role": "assistant", "status": "completed", "content": [part]}

    def called(self) -> dict:
        return {**self.id("fc"), "type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}

    def answered(self) -> dict:
        item = {"type": "function_call_output", "call_id": "c", "status": "completed", "output": "1"}
        return {**self.id("fco"), **item}

    def exchange(self, request: dict, response: dict) -> dict:
        self.count += 1
        at = (datetime(2026, 11, 29, tzinfo=UTC) + timedelta(seconds=self.count)).isoformat()
        return {"start_time": at, "end_time": at, "request": request, "response": response}

    def id(self, kind: str) -> dict:
        return {"id": f"{kind}_{self.random.getrandbits(64):016x}"}

    def tokens(self, most: int) -> list[int]:
        return [self.random.randrange(50_000) for _ in range(self.random.randint(1, most))]
