import type { AccountsApi } from './accounts-api.js';

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON; null where the answer has no body. */
  body: Record<string, unknown>;
}

export type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** Asks the API as one user: `const ada = as(api, adasKeys); await ada('GET', '/v1/me')`. */
export function as(api: Pick<AccountsApi, 'url'>, who: { bearer: { authorization: string } } | null): Ask {
  return async (method, path, body) => {
    const init = { method, headers: who?.bearer ?? {}, body: body === undefined ? null : JSON.stringify(body) };
    const response = await fetch(api.url + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };
}

/** One property of each item of a list's page. */
export function pluck(page: Answer, property: string): unknown[] {
  return (page.body['data'] as Record<string, unknown>[]).map((item) => item[property]);
}
