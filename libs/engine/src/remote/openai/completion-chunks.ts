import { isObject } from '../../files/json-fields.js';
import { EngineError } from '../../protocol/engine.errors.js';
import type { SampledToken } from '../../protocol/generate.js';
import type { SampledPiece } from '../remote-sampler.js';

const TOKEN_ID = /^token_id:(\d+)$/;

/** The tokens of a chunk of a completion. @throws EngineError `bad_answer`, or `unavailable` where it tells of an error */
export function piecesOf(chunk: unknown): SampledPiece[] {
  if (!isObject(chunk)) throw wrong('an event that is no object');
  const error = chunk['error'];
  if (error !== undefined) throw new EngineError('unavailable', `the inference server broke off: ${shown(error)}`);
  const choices = Array.isArray(chunk['choices']) ? (chunk['choices'] as unknown[]) : [];
  return choices.map((choice) => {
    if (!isObject(choice) || typeof choice['index'] !== 'number') throw wrong('a choice without an index');
    return { choice: choice['index'], tokens: tokensOf(choice) };
  });
}

function tokensOf({ token_ids: ids, logprobs }: Record<string, unknown>): SampledToken[] {
  if (!isObject(logprobs)) {
    if (Array.isArray(ids) && ids.length > 0) throw wrong('tokens without log probabilities');
    return [];
  }
  const { tokens, token_logprobs: values, top_logprobs: tops } = logprobs;
  if (!Array.isArray(tokens) || !Array.isArray(values) || tokens.length !== values.length) {
    throw wrong('logprobs that are none');
  }
  return tokens.map((token, index) => {
    const logprob: unknown = values[index];
    if (typeof logprob !== 'number') throw wrong('a token without a log probability');
    const id = Array.isArray(ids) ? (ids[index] as unknown) : idOf(token);
    if (typeof id !== 'number') throw wrong('a token without its id');
    const top: unknown = Array.isArray(tops) ? tops[index] : null;
    return { id, logprob, top: isObject(top) ? topOf(top) : [] };
  });
}

const topOf = (top: Record<string, unknown>): SampledToken['top'] =>
  Object.entries(top)
    .flatMap(([token, logprob]) => {
      const id = idOf(token);
      return id !== null && typeof logprob === 'number' ? [{ id, logprob }] : [];
    })
    .sort((a, b) => b.logprob - a.logprob);

function idOf(token: unknown): number | null {
  const [, id] = TOKEN_ID.exec(String(token)) ?? [];
  return id === undefined ? null : Number(id);
}

const shown = (error: unknown): string => {
  const message = isObject(error) ? error['message'] : error;
  return String(message).slice(0, 500);
};

const wrong = (what: string): EngineError => new EngineError('bad_answer', `the inference server sent ${what}`);
