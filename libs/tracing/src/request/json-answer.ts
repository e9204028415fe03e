import { StreamableFile } from '@nestjs/common';
import { jsonArray, type JsonMember, jsonObject, raw, type RawJson } from '@heddle/json';

/** An answer with payloads in it that must leave as the text they came as: Nest would parse and rewrite them. */
export const jsonAnswer = (members: Iterable<JsonMember>): StreamableFile =>
  new StreamableFile(jsonObject(members), { type: 'application/json' });

/** A list of objects, for a member of an answer. */
export const jsonObjects = (items: Iterable<JsonMember>[]): RawJson =>
  raw(jsonArray(items.map((members) => raw(jsonObject(members)))));

/** Objects, one a line. */
export const jsonLines = (items: Iterable<JsonMember>[]): StreamableFile =>
  new StreamableFile(Buffer.concat(items.flatMap((members) => [jsonObject(members), Buffer.from('\n')])), {
    type: 'application/jsonl',
  });
