import { ValidationError } from '@heddle/http';
import type { Request } from 'express';
import { incomingOf } from '../storage/incoming.js';
import type { Upload } from './drafts.service.js';

const SHA256_HEADER = 'x-content-sha256';
const SHA256 = /^[\da-f]{64}$/i;

/** What a PUT of a file announces, and its body. */
export function uploadOf(request: Request, path: string, sha256InQuery: string | undefined): Upload {
  return { ...incomingOf(request), path, expected: expectedOf(request, sha256InQuery) };
}

function expectedOf(request: Request, inQuery: string | undefined): Upload['expected'] {
  if (inQuery !== undefined) return { sha256: inQuery.toLowerCase(), loc: ['query', 'sha256'] };
  const inHeader = request.get(SHA256_HEADER);
  if (inHeader === undefined) return null;
  const loc = ['header', SHA256_HEADER];
  if (!SHA256.test(inHeader)) throw ValidationError.at(loc, 'must be 64 hexadecimal digits', 'sha256', inHeader);
  return { sha256: inHeader.toLowerCase(), loc };
}
