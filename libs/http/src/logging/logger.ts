import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Level, type Logger, type LoggerOptions, pino } from 'pino';

/** Paths that are never written, wherever an object is logged. */
const REDACTED = [
  'req.headers.authorization',
  'req.headers.cookie',
  'req.headers["wandb-api-key"]',
  '*.authorization',
  '*.password',
  '*.apiKey',
  '*.api_key',
  '*.secret',
  '*.token',
];

const STDOUT = 1;
const MOST_WAITING_BYTES = 1024 * 1024;

/** Structured logs: one JSON object a line on standard output. */
export function createLogger(name: string, level: string, destination = logOutput(STDOUT)): Logger {
  const options: LoggerOptions = {
    name,
    level,
    redact: { paths: REDACTED, censor: '[redacted]' },
    // A failed query's error carries its parameters and its row: users' data and secrets that no log may hold.
    serializers: { err: (error: unknown) => (error instanceof Error ? describe(error) : { message: String(error) }) },
  };
  return pino(options, destination);
}

/**
 * Where lines go. A disk that is full, or a reader that left, ends no process: lines wait until they can be written, and are
 * lost where too many wait.
 */
export function logOutput(fd: number): DestinationStream {
  const output = pino.destination({ dest: fd, sync: false, maxLength: MOST_WAITING_BYTES });
  output.on('error', () => undefined);
  return output;
}

function describe(error: Error): Record<string, unknown> {
  const code = 'code' in error ? error.code : undefined;
  return { type: error.name, message: error.message, code, stack: error.stack };
}

/** Lets Nest's own `Logger` write through pino: `logger.error({ err, jobId }, 'job failed')` or Nest's string forms. */
export class PinoLoggerService implements LoggerService {
  constructor(private readonly pino: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest passes the context last, and a stack before it on errors. */
  private write(level: Level, message: unknown, rest: unknown[]): void {
    const context = typeof rest.at(-1) === 'string' ? (rest.pop() as string) : undefined;
    const text = rest.find((part) => typeof part === 'string') as string | undefined;
    if (message instanceof Error) this.pino[level]({ context, err: message }, text ?? message.message);
    else if (typeof message === 'object' && message !== null) this.pino[level]({ context, ...message }, text);
    else this.pino[level]({ context, detail: text }, String(message));
  }
}
