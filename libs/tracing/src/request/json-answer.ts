import { StreamableFile } from '@nestjs/common';
import { type JsonMember, jsonObject } from '@heddle/json';

/** An answer with payloads in it that must leave as the text they came as: Nest would parse and rewrite them. */
export const jsonAnswer = (members: Iterable<JsonMember>): StreamableFile =>
  new StreamableFile(jsonObject(members), { type: 'application/json' });
