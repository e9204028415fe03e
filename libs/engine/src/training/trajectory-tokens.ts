import type { History, Trajectory } from '../protocol/train.js';
import {
  choiceLogprobs,
  type ChoiceTokens,
  choiceTokens,
  isChoice,
  type Refusal,
  type TokenSource,
} from './choice-tokens.js';
import type { Branch } from './sequence-tree.js';

/** A whole sequence, prompt included. */
export interface TrainingSequence extends Branch {
  /** One for each target; NaN: not known. */
  oldLogprobs: Float32Array;
}

export interface SequenceLimits extends TokenSource {
  /** Longer sequences are cut at their end. */
  maxTokens: number;
}

export interface TrajectoryTokens {
  sequences: TrainingSequence[];
  /** Choices that carry log probabilities (or needn't), whether or not their tokens could be had. */
  choices: number;
  refused: Refusal[];
  /** Sequences that were cut, and those of which no target was left. */
  truncated: number;
  dropped: number;
}

/**
 * Training sequences of a trajectory and its additional histories. A choice whose prompt begins with all that came
 * before continues the sequence, so that one sequence holds several trained spans; any other choice begins a new one.
 * @param place name of the trajectory on the wire, for errors.
 * @throws EngineError `invalid_request` naming the choice that has a token id outside the vocabulary.
 */
export function trajectoryTokens(trajectory: Trajectory, limits: SequenceLimits, place: string): TrajectoryTokens {
  const found: TrajectoryTokens = { sequences: [], choices: 0, refused: [], truncated: 0, dropped: 0 };
  addHistory(trajectory, limits, place, found);
  trajectory.additional_histories?.forEach((history, i) => {
    addHistory(history, limits, `${place}.additional_histories[${i}]`, found);
  });
  return found;
}

/** Whether anything in the trajectory could be trained on. */
export function isTrainable(trajectory: Trajectory, allowWithoutLogprobs: boolean): boolean {
  const histories: History[] = [trajectory, ...(trajectory.additional_histories ?? [])];
  return histories.some(({ messages_and_choices }) =>
    messages_and_choices.some((item) => isChoice(item) && (allowWithoutLogprobs || choiceLogprobs(item) !== null)),
  );
}

function addHistory(history: History, limits: SequenceLimits, place: string, found: TrajectoryTokens): void {
  const items = history.messages_and_choices;
  let open: OpenSequence | null = null;
  items.forEach((item, i) => {
    if (!isChoice(item) || !(limits.allowWithoutLogprobs || choiceLogprobs(item))) return;
    found.choices += 1;
    const where = `${place}.messages_and_choices[${i}]`;
    const tokens = choiceTokens(item, items.slice(0, i), history.tools ?? null, limits, where);
    if (typeof tokens === 'string') {
      found.refused.push(tokens);
      return;
    }
    if (!open?.continuesWith(tokens.prompt)) {
      open?.close(limits.maxTokens, found);
      open = new OpenSequence();
    }
    open.add(tokens);
  });
  (open as OpenSequence | null)?.close(limits.maxTokens, found);
}

class OpenSequence {
  private readonly tokens: number[] = [];
  private readonly targets: number[] = [];
  private readonly logprobs: number[] = [];

  continuesWith(prompt: readonly number[]): boolean {
    return this.tokens.every((token, i) => token === prompt[i]);
  }

  add({ prompt, completion, logprobs }: ChoiceTokens): void {
    for (let i = this.tokens.length; i < prompt.length; i++) this.tokens.push(prompt[i]!);
    completion.forEach((token, t) => {
      this.targets.push(this.tokens.length);
      this.tokens.push(token);
      this.logprobs.push(logprobs[t]!);
    });
  }

  close(maxTokens: number, found: TrajectoryTokens): void {
    const kept = this.targets.findIndex((position) => position >= maxTokens);
    const targets = kept < 0 ? this.targets : this.targets.slice(0, kept);
    if (targets.length === 0) {
      found.dropped += 1;
      return;
    }
    if (this.tokens.length > maxTokens) found.truncated += 1;
    found.sequences.push({
      tokens: Int32Array.from(this.tokens.slice(0, maxTokens)),
      targets: Int32Array.from(targets),
      oldLogprobs: Float32Array.from(this.logprobs.slice(0, targets.length)),
    });
  }
}
