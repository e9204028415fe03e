import { Writable } from 'node:stream';
import { pino } from 'pino';
import { createLogger, PinoLoggerService } from './logger.js';

function capture(): { lines: Record<string, unknown>[]; logger: ReturnType<typeof createLogger> } {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { lines, logger: createLogger('test', 'trace', sink) };
}

describe('createLogger', () => {
  it('writes one JSON object a line', () => {
    const { lines, logger } = capture();
    logger.info({ jobId: 'j' }, 'job done');
    expect(lines).toMatchObject([{ level: pino.levels.values['info'], name: 'test', jobId: 'j', msg: 'job done' }]);
  });

  it('never writes credentials', () => {
    const { lines, logger } = capture();
    logger.info({
      req: { headers: { authorization: 'Bearer hd_x', 'wandb-api-key': 'hd_x' } },
      user: { password: 'hd_x' },
    });
    expect(JSON.stringify(lines)).not.toContain('hd_x');
  });

  it("keeps a failed statement's parameters and row out of the log", () => {
    const { lines, logger } = capture();
    const error = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (x)=(canary)',
      parameters: ['canary'],
    });
    logger.error({ err: error }, 'failed');
    expect(lines).toMatchObject([{ err: { message: 'duplicate key', code: '23505' } }]);
    expect(JSON.stringify(lines)).not.toContain('canary');
  });
});

describe('PinoLoggerService', () => {
  it("takes Nest's own forms: message, context", () => {
    const { lines, logger } = capture();
    new PinoLoggerService(logger).log('Mapped route', 'RouterExplorer');
    expect(lines).toMatchObject([{ msg: 'Mapped route', context: 'RouterExplorer' }]);
  });

  it('takes an error', () => {
    const { lines, logger } = capture();
    new PinoLoggerService(logger).error(new Error('broken'), 'Worker');
    expect(lines).toMatchObject([{ msg: 'broken', context: 'Worker', err: { message: 'broken' } }]);
  });

  it('takes fields, a message and the context that Nest adds', () => {
    const { lines, logger } = capture();
    new PinoLoggerService(logger).warn({ jobId: 'j' }, 'slow', 'Worker');
    expect(lines).toMatchObject([{ msg: 'slow', jobId: 'j', context: 'Worker' }]);
  });
});
