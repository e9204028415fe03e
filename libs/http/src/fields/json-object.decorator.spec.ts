import { IsJsonObject } from './json-object.decorator.js';
import { ApiValidationPipe } from '../bodies/api-validation.pipe.js';

class Labelled {
  @IsJsonObject({ accuracy: 0.9 })
  metadata: Record<string, unknown>;
}

const read = async (json: string): Promise<Labelled> =>
  (await new ApiValidationPipe().transform(JSON.parse(`{"metadata": ${json}}`), {
    type: 'body',
    metatype: Labelled,
  })) as Labelled;
const refusal = { status: 422, detail: [expect.objectContaining({ loc: ['body', 'metadata'] })] };
const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

describe('IsJsonObject', () => {
  it('keeps the object as it was sent, whatever its keys are called', async () => {
    const json = '{"constructor":1,"__proto__":{"x":[null,"\\u0000",{"y":1.5}]},"":true}';
    expect(JSON.stringify((await read(json)).metadata)).toBe(json);
  });

  it.each(['1', '"text"', 'null', '[]', '{"a": 1e999}', '{"a": [{"b": -1e999}]}'])('refuses %s', async (json) => {
    await expect(read(json)).rejects.toMatchObject(refusal);
  });

  it('takes 64 levels, and no more', async () => {
    expect(JSON.stringify((await read(nested(64))).metadata)).toBe(nested(64));
    await expect(read(nested(65))).rejects.toMatchObject(refusal);
    await expect(read(nested(300_000))).rejects.toMatchObject(refusal);
  });
});
