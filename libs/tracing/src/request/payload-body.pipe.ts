import { Injectable, type PipeTransform } from '@nestjs/common';
import { ValidationError } from '@heddle/http';
import { indexJson, JsonError, type JsonNode } from '@heddle/json';

/** `{updates: [{insert: {row}}]}` is 4; rows and values stay text. */
const INDEXED_DEPTH = 4;
/** Rows, and their first level: about 100 MB of index at most. */
const MAX_VALUES = 4_000_000;

/** `@Body(PayloadBodyPipe)`: as TraceBodyPipe, but shallow enough for 100,000 rows or values. */
@Injectable()
export class PayloadBodyPipe implements PipeTransform<Buffer, Promise<JsonNode>> {
  async transform(bytes: Buffer): Promise<JsonNode> {
    try {
      return await indexJson(bytes, { depth: INDEXED_DEPTH, maxNodes: MAX_VALUES });
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      throw ValidationError.at(['body'], error.message, 'json_invalid');
    }
  }
}
