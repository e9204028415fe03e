import type { ChatMessage, Choice } from '../protocol/chat.js';
import type { History, Trajectory } from '../protocol/train.js';
import { choiceLogprobs, type ChoiceTokens, choiceTokens, isChoice, type TokenSource } from './choice-tokens.js';
import { firstOccurrences } from './first-occurrences.js';
import type { TrainingSequence } from './sequence-tree.js';
import { turnTokens } from './turn-tokens.js';

export interface SequenceLimits extends TokenSource {
  /** Longer sequences are cut at their end. */
  maxTokens: number;
}

export interface TrajectoryTokens {
  sequences: TrainingSequence[];
  /** Choices that carry log probabilities (or needn't), whether or not their tokens could be had. */
  choices: number;
  refused: string[];
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
  const refused = [...(trajectory.refused ?? [])];
  const found: TrajectoryTokens = { sequences: [], choices: refused.length, refused, truncated: 0, dropped: 0 };
  const addHistory = (history: History, where: string): void => {
    const named = history.places?.map((name) => `${place}.${name}`);
    const places = named ?? history.messages_and_choices.map((_, i) => `${where}.messages_and_choices[${i}]`);
    addChoices(history, limits, places, trajectory.trainedOnce ?? false, found);
  };
  addHistory(trajectory, place);
  trajectory.additional_histories?.forEach((history, i) => addHistory(history, `${place}.additional_histories[${i}]`));
  return trajectory.trainedOnce ? { ...found, sequences: firstOccurrences(found.sequences) } : found;
}

/** Whether anything in the trajectory could be trained on, or was refused. */
export function isTrainable(trajectory: Trajectory, allowWithoutLogprobs: boolean): boolean {
  const histories: History[] = [trajectory, ...(trajectory.additional_histories ?? [])];
  const isTrained = isTrainedOn(allowWithoutLogprobs, trajectory.trainedOnce ?? false);
  return !!trajectory.refused?.length || histories.some((history) => history.messages_and_choices.some(isTrained));
}

/** A choice with log probabilities; where those needn't be, any choice and whatever else the assistant says. */
function isTrainedOn(allowWithoutLogprobs: boolean, onlyChoices: boolean): (item: ChatMessage | Choice) => boolean {
  return (item) => {
    if (isChoice(item)) return allowWithoutLogprobs || choiceLogprobs(item) !== null;
    return allowWithoutLogprobs && !onlyChoices && item.role === 'assistant';
  };
}

function addChoices(
  history: History,
  limits: SequenceLimits,
  places: readonly string[],
  onlyChoices: boolean,
  found: TrajectoryTokens,
): void {
  const items = history.messages_and_choices;
  const { tools, templateVariables } = history;
  const context = { tools: tools ?? null, templateVariables };
  const isTrained = isTrainedOn(limits.allowWithoutLogprobs, onlyChoices);
  let open: OpenSequence | null = null;
  items.forEach((item, i) => {
    if (!isTrained(item)) return;
    found.choices += 1;
    const before = items.slice(0, i);
    const tokens =
      isChoice(item) && (item.token_ids || choiceLogprobs(item))
        ? choiceTokens(item, before, context, limits, places[i]!)
        : turnTokens(item, before, context, limits);
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
