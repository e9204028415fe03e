import protobuf from 'protobufjs/light.js';
import { dataOf, scoringInputs } from './datum.js';
import { decodeSamples, PROTOBUF_PASSES } from './protobuf-passes.js';

const data = dataOf([
  { prefix: Int32Array.of(7), branches: [{ tokens: Int32Array.of(300, 9), targets: Int32Array.of(0, 1) }] },
]);

describe('a pass as protobuf', () => {
  it('has the bytes of the published messages', () => {
    const bytes = PROTOBUF_PASSES.encode({
      modelId: 'm',
      seqId: 3,
      lossFn: 'importance_sampling',
      isForwardOnly: true,
      data,
      inputs: scoringInputs(data),
    }) as Uint8Array;
    const reader = protobuf.Reader.create(bytes);
    const fields: [number, string | number][] = [];
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if ((tag & 7) === 0) fields.push([tag >>> 3, reader.uint32()]);
      else fields.push([tag >>> 3, Buffer.from(reader.bytes()).toString('latin1')]);
    }
    expect(fields.filter(([number]) => number !== 3)).toEqual([
      [1, 'm'],
      [2, 3],
      [4, 'importance_sampling'],
      [6, 1],
    ]);
    const datum = fields.find(([number]) => number === 3)![1] as string;
    // Tokens are 32 bits, targets 64.
    expect(datum).toContain('\x07\0\0\0\x2c\x01\0\0');
    expect(datum).toContain('target_tokens');
    expect(datum).toContain('\x2c\x01\0\0\0\0\0\0\x09\0\0\0\0\0\0\0');
  });

  it('is read where its result is JSON, too', () => {
    const body = Buffer.from(JSON.stringify({ loss_fn_outputs: [{ logprobs: { data: [-1, -2] } }] }));
    expect(PROTOBUF_PASSES.decode(body, 'application/json')).toEqual([Float32Array.of(-1, -2)]);
  });

  it.each([
    '{"loss_fn_outputs": 1}',
    '{"loss_fn_outputs": [{}]}',
    '{"loss_fn_outputs": [{"logprobs": {"data": [null]}}]}',
    '[]',
  ])('is refused where it says %s', (body) => {
    expect(() => PROTOBUF_PASSES.decode(Buffer.from(body), 'application/json')).toThrow(
      expect.objectContaining({ code: 'bad_answer' }),
    );
  });
});

describe('results in protobuf', () => {
  /** Of a message, by numbers and bytes. */
  const message = (...fields: [number, Uint8Array][]): Uint8Array => {
    const writer = protobuf.Writer.create();
    for (const [number, bytes] of fields) writer.uint32((number << 3) | 2).bytes(bytes);
    return writer.finish();
  };
  const floats = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer);
  const offsets = (...values: number[]) => new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
  const dtype = Uint8Array.of(24, 1);
  const tensor = (...ends: number[]) =>
    Buffer.concat([message([1, floats(-1, -2, -3)], [2, offsets(0, ...ends)]), dtype]);
  const output = (...ends: number[]) =>
    message([2, message([2, message([1, Buffer.from('logprobs')], [2, tensor(...ends)])])]);

  it('are cut at their offsets', () => {
    const found = PROTOBUF_PASSES.decode(output(8, 12), 'application/x-protobuf');
    expect(found).toEqual([Float32Array.of(-1, -2), Float32Array.of(-3)]);
  });

  it.each([[[8, 16]], [[6, 12]], [[8, 4]]])('are refused where offsets are %j', (ends) => {
    expect(() => PROTOBUF_PASSES.decode(output(...ends), 'application/x-protobuf')).toThrow('offsets that are none');
  });

  it('of samples have tokens and their log probabilities', () => {
    const tokens = new Uint8Array(Int32Array.of(5, 600).buffer);
    const bytes = message([1, message([2, tokens], [3, floats(-0.5, -1)])]);
    expect(decodeSamples(bytes)).toEqual([{ tokens: [5, 600], logprobs: [-0.5, -1] }]);
    expect(() => decodeSamples(Uint8Array.of(255, 255, 255))).toThrow(expect.objectContaining({ code: 'bad_answer' }));
  });
});
