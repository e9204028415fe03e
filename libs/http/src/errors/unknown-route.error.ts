import { NotFoundError } from './api-error.js';

/** Longest path that is repeated. */
const MAX_SHOWN = 200;
/** Ends of paths by which OpenAI's clients are known: their base URL must end in `/v1`, and no further. */
const OPENAI_PATH = /\/(chat\/completions|completions|embeddings|models|responses)\/?$/;

/** No route of this path, or none with this method. */
export class UnknownRouteError extends NotFoundError {
  constructor(method: string, path: string) {
    const shown = path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}...` : path;
    const [end] = OPENAI_PATH.exec(path) ?? [];
    const hint =
      end && path !== `/v1${end}` ? `. A client's base URL must end in '/v1': what you mean may be /v1${end}` : '';
    super(`There is no route ${method} ${shown}${hint}`, 'route_not_found');
  }
}
