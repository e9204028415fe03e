import { EngineError } from '../../protocol/engine.errors.js';
import type { Datum, LossInputs } from './datum.js';
import { objectOf } from './fields.js';
import type { PassWire } from './pass-wire.js';

/** Passes as servers before protobuf read them (SkyRL tx 0.3), and results as they write them. */
export const JSON_PASSES: PassWire = {
  path: ({ isForwardOnly }) => (isForwardOnly ? 'forward' : 'forward_backward'),
  contentType: 'application/json',
  accept: 'application/json',
  encode: ({ modelId, seqId, lossFn, isForwardOnly, data, inputs }) => ({
    type: isForwardOnly ? 'forward' : 'forward_backward',
    model_id: modelId,
    seq_id: seqId,
    [isForwardOnly ? 'forward_input' : 'forward_backward_input']: {
      loss_fn: lossFn,
      data: data.map((datum, index) => datumJson(datum, inputs[index]!)),
    },
  }),
  decode: (body) => {
    const result = objectOf(JSON.parse(Buffer.from(body).toString()), 'a pass');
    const outputs = result['loss_fn_outputs'];
    if (!Array.isArray(outputs)) throw new EngineError('bad_answer', 'the result of a pass has no loss_fn_outputs');
    return outputs.map((output) => {
      const { data } = objectOf(objectOf(output, 'a pass')['logprobs'], 'a pass');
      if (Array.isArray(data) && data.every((value) => typeof value === 'number')) return Float32Array.from(data);
      throw new EngineError('bad_answer', 'the result of a pass has no log probabilities');
    });
  },
};

function datumJson({ input, targets }: Datum, { weights, logprobs, advantages }: LossInputs): unknown {
  return {
    model_input: { chunks: [{ type: 'encoded_text', tokens: [...input] }] },
    // All four must be there, whatever the loss uses.
    loss_fn_inputs: {
      target_tokens: tensor(targets, 'int64'),
      weights: tensor(weights, 'float32'),
      logprobs: tensor(logprobs, 'float32'),
      advantages: tensor(advantages, 'float32'),
    },
  };
}

const tensor = (values: Int32Array | Float32Array, dtype: string): unknown => ({
  data: [...values],
  dtype,
  shape: [values.length],
});
