import { EngineError } from '../../protocol/engine.errors.js';
import type { SampledToken } from '../../protocol/generate.js';
import { isObject } from '../../files/json-fields.js';
import { decodeSamples } from './protobuf-passes.js';

interface Sequence {
  tokens: readonly number[];
  logprobs: readonly number[];
}

/** The completions of an answer to `asample`, in JSON or protobuf. @throws EngineError `bad_answer` */
export function readSamples(
  { body, contentType }: { body: Uint8Array; contentType: string },
  count: number,
): SampledToken[][] {
  const sequences = contentType.includes('protobuf') ? decodeSamples(body) : jsonSequences(body);
  if (sequences.length !== count) throw wrong(`${sequences.length} completions where ${count} were asked for`);
  return sequences.map(({ tokens, logprobs }) => {
    if (tokens.length !== logprobs.length) throw wrong('tokens without log probabilities');
    return tokens.map((id, index) => ({ id, logprob: logprobs[index]!, top: [] }));
  });
}

function jsonSequences(body: Uint8Array): Sequence[] {
  const value: unknown = JSON.parse(Buffer.from(body).toString());
  const sequences = isObject(value) ? value['sequences'] : null;
  if (!Array.isArray(sequences)) throw wrong('no sequences');
  return sequences.map((sequence: unknown) => {
    if (!isObject(sequence) || !isNumbers(sequence['tokens']) || !isNumbers(sequence['logprobs'])) {
      throw wrong('a sequence without tokens and logprobs');
    }
    return { tokens: sequence['tokens'], logprobs: sequence['logprobs'] };
  });
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'number');

const wrong = (what: string): EngineError => new EngineError('bad_answer', `the trainer's answer has ${what}`);
