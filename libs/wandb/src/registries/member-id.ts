import { ValidationError } from '@heddle/http';

/** Clients want numbers in ids of users, `User:n` in base64: the UUID is one, of 128 bits. */
export const memberIdOf = (userId: string): string =>
  Buffer.from(`User:${BigInt(`0x${userId.replaceAll('-', '')}`)}`).toString('base64');

/** @throws ValidationError for what is no user's id */
export function userIdOf(memberId: string): string {
  const [, digits] = /^User:(\d{1,39})$/.exec(Buffer.from(memberId, 'base64').toString()) ?? [];
  const hex = digits === undefined ? '' : BigInt(digits).toString(16).padStart(32, '0');
  if (hex.length === 32) return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  throw ValidationError.at(['variables', 'input', 'userIds'], "is no user's id", 'user_id', memberId);
}
