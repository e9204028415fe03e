import type { Trajectory } from '@heddle/engine';
import { chatHistories } from './chat-histories.js';
import { completionSamples } from './completion-samples.js';
import { modelOf, placed, type Placed, type RecordedExchanges } from './exchange.js';
import { messageSamples } from './message-samples.js';
import type { RecordedHistory } from './recorded-history.js';
import { responseSamples } from './response-samples.js';
import { refusalsOf, tokenHistories } from './token-histories.js';
import type { TrainedModel } from './trained-model.js';

type Histories = Pick<Trajectory, 'messages_and_choices' | 'tools' | 'places' | 'additional_histories'>;

export const hasExchanges = (exchanges: RecordedExchanges | null | undefined): exchanges is RecordedExchanges =>
  Object.values(exchanges ?? {}).some((list) => Array.isArray(list) && list.length > 0);

/**
 * What the model that is trained said in recorded exchanges, as histories. Of those with other models nothing is trained
 * on, nor of answers that don't say their tokens: a warning says so.
 */
export function recordedTrajectory(
  exchanges: RecordedExchanges,
  model: TrainedModel,
): Histories & Required<Pick<Trajectory, 'refused' | 'trainedOnce'>> {
  const name = nameOf(exchanges, model);
  const of = <T extends Parameters<typeof modelOf>[0]>(protocol: keyof RecordedExchanges, list?: T[] | null) =>
    placed(list, protocol).filter(({ exchange }) => name(modelOf(exchange)));
  const samples = [
    ...byModel(of('completions', exchanges.completions)).map(completionSamples),
    ...byModel(of('responses', exchanges.responses)).map(responseSamples),
    ...byModel(of('messages', exchanges.messages)).map(messageSamples),
  ];
  const found = [
    ...byModel(of('chat_completions', exchanges.chat_completions)).flatMap(chatHistories),
    ...samples.flatMap(tokenHistories),
  ];
  const refused = samples.flatMap(refusalsOf);
  if (found.length + refused.length === 0) refused.push('it is of another model than the one that is trained');
  const [first = NONE, ...others] = found;
  return { ...first, additional_histories: others, refused, trainedOnce: true };
}

const NONE: RecordedHistory = { messages_and_choices: [], places: [], tools: null };

/** The trained model's own name; rollouts that never asked for it may have asked for its base model instead. */
function nameOf(exchanges: RecordedExchanges, model: TrainedModel): (name: string | null) => boolean {
  const { chat_completions, completions, responses, messages } = exchanges;
  const all = [...(chat_completions ?? []), ...(completions ?? []), ...(responses ?? []), ...(messages ?? [])];
  const isNamed = all.some((exchange) => model.isNamed(modelOf(exchange)));
  return (name) => (isNamed ? model.isNamed(name) : model.isBase(name));
}

/** Each checkpoint's apart, as they came: what one has said another has not. */
function byModel<T extends Parameters<typeof modelOf>[0]>(exchanges: readonly Placed<T>[]): Placed<T>[][] {
  const groups = new Map<string | null, Placed<T>[]>();
  for (const item of exchanges) {
    const name = modelOf(item.exchange);
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return [...groups.values()];
}
