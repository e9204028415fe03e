import type { IncomingHttpHeaders } from 'node:http';

/**
 * The API key in the headers of a basic-auth request: the password of any user, even of none, or `wandb-api-key`, which
 * OTLP exporters send because their only setting is a list of headers.
 */
export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  return passwordOf(headers.authorization) ?? single(headers['wandb-api-key']);
}

function passwordOf(authorization = ''): string | undefined {
  const [, base64] = /^basic +([\w+/-]+=*) *$/i.exec(authorization) ?? [];
  if (base64 === undefined) return undefined;
  const pair = Buffer.from(base64, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon < 0 ? undefined : pair.slice(colon + 1);
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header.trim() : undefined;
}
