import { ApiValidationPipe } from '../bodies/api-validation.pipe.js';
import { IsJsonDouble } from './json-double.decorator.js';

class Measured {
  @IsJsonDouble({ each: true })
  values: unknown[];
}

const read = async (json: string): Promise<unknown> =>
  new ApiValidationPipe().transform(JSON.parse(`{"values": ${json}}`), { type: 'body', metatype: Measured });

describe('IsJsonDouble', () => {
  it('takes numbers, and words for those that JSON lacks', async () => {
    const values = [1, -1e308, 'NaN', 'Infinity', '-Infinity'];
    expect(await read(JSON.stringify(values))).toEqual({ values });
  });

  it.each(['[1e999]', '[-1e999]', '["nan"]', '["1"]', '[null]', '[[1]]'])('refuses %s', async (json) => {
    const msg = "each value in values must be a number, or 'NaN' or 'Infinity' or '-Infinity'";
    await expect(read(json)).rejects.toMatchObject({ status: 422, detail: [{ loc: ['body', 'values'], msg }] });
  });
});
