import type { Trajectory } from '@heddle/engine';
import { chatHistories } from './chat-histories.js';
import { completionHistories } from './completion-histories.js';
import { modelOf, placed, type Placed, type RecordedExchanges } from './exchange.js';
import type { RecordedHistory } from './recorded-history.js';
import type { TrainedModel } from './trained-model.js';

type Histories = Pick<Trajectory, 'messages_and_choices' | 'tools' | 'places' | 'additional_histories'>;

export const hasExchanges = (exchanges: RecordedExchanges | null | undefined): exchanges is RecordedExchanges =>
  Object.values(exchanges ?? {}).some((list) => Array.isArray(list) && list.length > 0);

/**
 * What the model that is trained said in recorded exchanges, as histories. Of those with other models nothing is trained
 * on, nor of protocols whose answers have no token ids: a warning says so.
 */
export function recordedTrajectory(
  exchanges: RecordedExchanges,
  model: TrainedModel,
): Histories & Required<Pick<Trajectory, 'refused' | 'trainedOnce'>> {
  const name = nameOf(exchanges, model);
  const of = <T extends Parameters<typeof modelOf>[0]>(protocol: keyof RecordedExchanges, list?: T[] | null) =>
    placed(list, protocol).filter(({ exchange }) => name(modelOf(exchange)));
  const found = [
    ...byModel(of('chat_completions', exchanges.chat_completions)).flatMap(chatHistories),
    ...byModel(of('completions', exchanges.completions)).flatMap(completionHistories),
  ];
  const unread = (['responses', 'messages'] as const).flatMap((protocol) => of(protocol, exchanges[protocol]).length);
  const refused = [
    ...Array.from({ length: unread[0]! }, () => 'it was asked for with /v1/responses, not with /v1/chat/completions'),
    ...Array.from({ length: unread[1]! }, () => 'it was asked for with /v1/messages, not with /v1/chat/completions'),
  ];
  if (found.length + refused.length === 0) refused.push('it is of another model than the one that is trained');
  const [first = NONE, ...others] = found;
  return { ...first, additional_histories: others, refused, trainedOnce: true };
}

const NONE: RecordedHistory = { messages_and_choices: [], places: [], tools: null };

/** The trained model's own name; rollouts that never asked for it may have asked for its base model instead. */
function nameOf(exchanges: RecordedExchanges, model: TrainedModel): (name: string | null) => boolean {
  const { chat_completions, completions, responses, messages } = exchanges;
  const all = [chat_completions, completions, responses, messages].flatMap((list) => list ?? []);
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
