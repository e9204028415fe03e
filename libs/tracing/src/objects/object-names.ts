import { ValidationError } from '@heddle/http';

type Loc = (string | number)[];

const MAX_OBJECT_ID = 128;
const MAX_ALIAS = 128;
const MAX_TAG = 256;

/** A name is a part of references, `weave:///entity/project/object/NAME:VERSION`, which must be read back. */
export function checkObjectId(name: string, loc: Loc): void {
  if (!/^[\p{L}\p{M}\p{N}_.-]+$/u.test(name)) refuse(loc, 'must consist of letters, digits, _, . and -');
  if ([...name].length > MAX_OBJECT_ID) refuse(loc, `must have at most ${MAX_OBJECT_ID} characters`);
}

/** `latest` and `v` with a number name versions already. */
export function checkAlias(alias: string, loc: Loc): void {
  if (alias.trim() === '' || /[/:]/.test(alias)) refuse(loc, 'must have a character, and neither / nor :');
  if (alias === 'latest' || /^v\d+$/.test(alias)) refuse(loc, `${alias} is reserved`);
  if ([...alias].length > MAX_ALIAS) refuse(loc, `must have at most ${MAX_ALIAS} characters`);
}

export function checkTag(tag: string, loc: Loc): void {
  if (!/^[-\p{L}\p{M}\p{N}_]+( [-\p{L}\p{M}\p{N}_]+)*$/u.test(tag))
    refuse(loc, 'must be words of letters, digits, - and _');
  if ([...tag].length > MAX_TAG) refuse(loc, `must have at most ${MAX_TAG} characters`);
}

function refuse(loc: Loc, reason: string): never {
  throw ValidationError.at(loc, reason, 'name');
}
