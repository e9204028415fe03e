/** Whether trying again may help: at once, at once but not for long, after a while, or only once somebody has changed something. */
export type Retry = 'soon' | 'twice' | 'later' | 'never';

/** Why a model can't be had from the hub, in words for its user. */
export class HubFailure extends Error {
  constructor(
    message: string,
    readonly retry: Retry,
    /** Milliseconds after which the hub wants to be asked again, where it said so. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'HubFailure';
  }
}

/** An answer of the hub's that is none. */
export class HubStatusError extends Error {
  constructor(
    readonly status: number,
    /** What kind of refusal it is, in the hub's words: `GatedRepo`, `RevisionNotFound`, ... */
    readonly errorCode: string | null,
    readonly retryAfterMs: number | null,
  ) {
    super(`the hub answered ${status}`);
    this.name = 'HubStatusError';
  }

  static of({ status, headers }: Response): HubStatusError {
    const seconds = Number(headers.get('retry-after') ?? NaN);
    return new HubStatusError(status, headers.get('x-error-code'), Number.isFinite(seconds) ? seconds * 1000 : null);
  }
}

export interface Asked {
  id: string;
  revision: string;
  endpoint: string;
  hasToken: boolean;
}

const DISK_FULL = ['ENOSPC', 'EDQUOT'];

/** What went wrong, said so that its reader knows what to do. */
export function explain(error: unknown, asked: Asked): HubFailure {
  if (error instanceof HubFailure) return error;
  if (error instanceof HubStatusError) return explainStatus(error, asked);
  const { message, code, cause } = error as NodeJS.ErrnoException & { cause?: { code?: string; message?: string } };
  if (code !== undefined && DISK_FULL.includes(code)) return new HubFailure('the disk of DATA_DIR is full', 'later');
  if (code !== undefined && typeof code === 'string' && 'syscall' in (error as object) && 'path' in (error as object)) {
    return new HubFailure(`DATA_DIR can't be written: ${message}`, 'later');
  }
  const why = cause?.code ?? cause?.message ?? message ?? String(error);
  return new HubFailure(`the connection to ${asked.endpoint} failed: ${why}`, 'soon');
}

function explainStatus({ status, errorCode, retryAfterMs }: HubStatusError, asked: Asked): HubFailure {
  const { id, revision, endpoint, hasToken } = asked;
  const never = (message: string): HubFailure => new HubFailure(message, 'never');
  if (errorCode === 'GatedRepo') {
    const token = hasToken ? 'with the account of HF_TOKEN' : 'and set HF_TOKEN to an access token of that account';
    return never(`${id} is gated: accept its licence at ${endpoint}/${id} ${token}`);
  }
  if (errorCode === 'RevisionNotFound') return never(`${id} has no revision '${revision}' on the hub`);
  if (status === 401 || status === 403) {
    return never(
      hasToken
        ? `the hub lets HF_TOKEN not read ${id} (${status}): it knows no such token or no such model, or the token lacks the right`
        : `the hub shows nobody ${id} without a token (${status}): it is misspelt, or private and needs HF_TOKEN`,
    );
  }
  if (status === 404) return never(`the hub has no model ${id}`);
  if (status === 408 || status === 429 || status >= 500) {
    return new HubFailure(`the hub answers ${status} at ${endpoint}`, 'soon', retryAfterMs);
  }
  return never(`the hub answers ${status} at ${endpoint}`);
}
