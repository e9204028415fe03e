import { ApiValidationPipe } from '../bodies/api-validation.pipe.js';
import { IsTime } from './time.decorator.js';

class Since {
  @IsTime()
  since: Date;
}

const read = async (since: unknown): Promise<Since> =>
  (await new ApiValidationPipe().transform({ since }, { type: 'body', metatype: Since })) as Since;

describe('IsTime', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.25+01:00', '2026-01-31T11:00:00.250Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ])('reads %s', async (text, time) => {
    expect((await read(text)).since.toISOString()).toBe(time);
  });

  it.each([
    ['a text that is no time', 'yesterday'],
    ['nothing', null],
    ['a number', 5],
    ['a list', ['2026-01-31T12:00:00Z']],
    ['what can not become text', { toString: 'x' }],
    ['a time that no calendar has', '+999999-01-01T00:00:00Z'],
  ])('refuses %s', async (_what, value) => {
    await expect(read(value)).rejects.toMatchObject({
      status: 422,
      detail: [expect.objectContaining({ loc: ['body', 'since'], msg: expect.stringMatching(/must be a time/) })],
    });
  });
});
