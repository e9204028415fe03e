import { EngineError } from '../protocol/engine.errors.js';

/** Whose answer it is, in words that may be shown. */
interface Remote {
  server: { name: string };
  /** Host and port. */
  host: string;
}

/** Failures of a connection that never was: nothing of the request has arrived. */
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];
const SHOWN = 500;

/** An answer that is no success. */
export class RefusedError extends EngineError {
  constructor(
    code: 'unavailable' | 'bad_answer',
    message: string,
    readonly status: number,
  ) {
    super(code, message);
  }
}

/** Nothing came in the time that an answer was given. */
export class SlowAnswerError extends EngineError {}

export const isUnsent = (error: unknown): boolean => UNSENT.includes(causeOf(error));

/** What went wrong before there was an answer. */
export function connectionProblem({ server, host }: Remote, error: unknown): EngineError {
  const cause = causeOf(error);
  const where = `${server.name} at ${host}`;
  if (cause === 'TimeoutError') return new SlowAnswerError('unavailable', `${where} doesn't answer`);
  const why = isUnsent(error) ? "can't be reached" : 'broke off';
  return new EngineError('unavailable', `${where} ${why} (${cause})`);
}

/** What an answer that is no success means. */
export async function answerProblem({ server, host }: Remote, response: Response, path: string): Promise<EngineError> {
  const text = await response.text().catch(() => '');
  const said = detailOf(text);
  const { status } = response;
  const where = `${server.name} at ${host}`;
  if (status === 401 || status === 403) {
    return new RefusedError('bad_answer', `${where} refuses the key (${status})`, status);
  }
  const message = `${where} answered ${path} with ${status}${said === '' ? '' : `: ${said}`}`;
  const passes = status >= 500 || [408, 410, 425, 429].includes(status);
  return new RefusedError(passes ? 'unavailable' : 'bad_answer', message, status);
}

/** The text of an error in the forms that such servers use. */
function detailOf(text: string): string {
  let value: unknown = text;
  try {
    value = JSON.parse(text);
  } catch {
    // As it is.
  }
  for (const key of ['detail', 'error', 'message']) {
    if (typeof value === 'object' && value !== null && key in value) value = (value as Record<string, unknown>)[key];
  }
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return shown.length > SHOWN ? `${shown.slice(0, SHOWN)}...` : shown;
}

function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  // A DOMException has a number for its code.
  const { code, name } = (cause ?? error) as { code?: unknown; name?: string };
  return typeof code === 'string' ? code : (name ?? 'unknown error');
}
