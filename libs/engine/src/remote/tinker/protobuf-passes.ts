import protobuf from 'protobufjs/light.js';
import { EngineError } from '../../protocol/engine.errors.js';
import type { Datum, LossInputs } from './datum.js';
import { JSON_PASSES } from './json-passes.js';
import type { PassWire } from './pass-wire.js';

const PROTOBUF = 'application/x-protobuf';
const [FLOAT32, INT64] = [1, 2];

const field = (id: number, type: string): protobuf.IField => ({ id, type });
const repeated = (id: number, type: string): protobuf.IField => ({ id, type, rule: 'repeated' });

/** Messages of the package tinker_public, by their published field numbers. Arrays are little-endian bytes. */
const root = protobuf.Root.fromJSON({
  nested: {
    EncodedTextChunk: { fields: { tokens: field(1, 'bytes') } },
    Chunk: { fields: { encodedText: field(1, 'EncodedTextChunk') } },
    Tensor: { fields: { dense: field(1, 'bytes'), dtype: field(3, 'int32'), shape: repeated(4, 'int64') } },
    Datum: {
      fields: {
        modelInput: repeated(1, 'Chunk'),
        lossFnInputs: { id: 2, keyType: 'string', type: 'Tensor' } as protobuf.IMapField,
      },
    },
    ForwardBackwardRequest: {
      fields: {
        modelId: field(1, 'string'),
        seqId: field(2, 'int32'),
        data: repeated(3, 'Datum'),
        lossFn: field(4, 'string'),
        forwardOnly: field(6, 'bool'),
      },
    },
    BatchedTensor: { fields: { data: field(1, 'bytes'), offsets: field(2, 'bytes'), dtype: field(3, 'int32') } },
    ArrayRecord: {
      fields: {
        fields: { id: 2, keyType: 'string', type: 'BatchedTensor' } as protobuf.IMapField,
        numDatums: field(3, 'int64'),
      },
    },
    ForwardBackwardOutput: { fields: { lossFnOutputs: repeated(2, 'ArrayRecord') } },
    SampledSequence: {
      fields: { stopReason: field(1, 'int32'), tokens: field(2, 'bytes'), logprobs: field(3, 'bytes') },
    },
    SampleResponse: { fields: { sequences: repeated(1, 'SampledSequence') } },
  },
});

const Request = root.lookupType('ForwardBackwardRequest');
const Output = root.lookupType('ForwardBackwardOutput');
const Samples = root.lookupType('SampleResponse');

interface BatchedTensor {
  data: Uint8Array;
  offsets: Uint8Array;
  dtype: number;
}

/** Passes as newer servers read them. Whatever comes back as JSON is read as that. */
export const PROTOBUF_PASSES: PassWire = {
  path: () => 'forward_backward',
  contentType: PROTOBUF,
  accept: `${PROTOBUF}, application/json`,
  encode: ({ modelId, seqId, lossFn, isForwardOnly, data, inputs }) =>
    Request.encode({
      modelId,
      seqId,
      lossFn,
      forwardOnly: isForwardOnly,
      data: data.map((datum, index) => datumMessage(datum, inputs[index]!)),
    }).finish(),
  decode: (body, contentType) => {
    if (!contentType.includes('protobuf')) return JSON_PASSES.decode(body, contentType);
    let output: { lossFnOutputs: { fields: Record<string, BatchedTensor> }[] };
    try {
      output = Output.decode(body) as unknown as typeof output;
    } catch {
      throw new EngineError('bad_answer', 'the result of a pass is no ForwardBackwardOutput');
    }
    return output.lossFnOutputs.flatMap(({ fields }) => splitTensor(fields['logprobs']));
  },
};

function datumMessage({ input, targets }: Datum, { weights, logprobs, advantages }: LossInputs): object {
  const floats = (values: Float32Array): object => ({ dense: bytesOf(values), dtype: FLOAT32, shape: [values.length] });
  const ids = BigInt64Array.from(targets, BigInt);
  return {
    modelInput: [{ encodedText: { tokens: bytesOf(input) } }],
    lossFnInputs: {
      target_tokens: { dense: bytesOf(ids), dtype: INT64, shape: [targets.length] },
      weights: floats(weights),
      logprobs: floats(logprobs),
      advantages: floats(advantages),
    },
  };
}

function splitTensor(tensor: BatchedTensor | undefined): Float32Array[] {
  if (!tensor || tensor.dtype !== FLOAT32) {
    throw new EngineError('bad_answer', 'the result of a pass has no log probabilities as float32');
  }
  const { data } = tensor;
  const offsets = [...new BigInt64Array(copied(tensor.offsets))].map(Number);
  return offsets.slice(1).map((end, index) => {
    const begin = offsets[index]!;
    if (begin < 0 || end < begin || end > data.length || (end - begin) % 4 !== 0) {
      throw new EngineError('bad_answer', 'the result of a pass has offsets that are none');
    }
    return new Float32Array(copied(data.subarray(begin, end)));
  });
}

/** What a decoder cuts out of a message need not lie at a multiple of 8. */
const copied = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);

/** Completions of a SampleResponse. @throws EngineError `bad_answer` */
export function decodeSamples(body: Uint8Array): { tokens: number[]; logprobs: number[] }[] {
  try {
    const { sequences } = Samples.decode(body) as unknown as { sequences: Record<'tokens' | 'logprobs', Uint8Array>[] };
    return sequences.map(({ tokens, logprobs }) => ({
      tokens: [...new Int32Array(copied(tokens))],
      logprobs: [...new Float32Array(copied(logprobs))],
    }));
  } catch {
    throw new EngineError('bad_answer', 'the result of a sample is no SampleResponse');
  }
}
