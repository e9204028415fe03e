import { Injectable, type PipeTransform } from '@nestjs/common';
import { ValidationError } from '@heddle/http';
import { indexJson, type JsonNode, JsonError } from '@heddle/json';

/** Levels below the body that are indexed; what lies deeper stays text. The fields of `{batch: [{req: {start: {}}}]}` are the 5th. */
const INDEXED_DEPTH = 5;

/** `@Body(TraceBodyPipe) body: JsonNode`: the body's shallow index, made without blocking the event loop. */
@Injectable()
export class TraceBodyPipe implements PipeTransform<Buffer, Promise<JsonNode>> {
  async transform(bytes: Buffer): Promise<JsonNode> {
    try {
      return await indexJson(bytes, { depth: INDEXED_DEPTH });
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      throw ValidationError.at(['body'], error.message, 'json_invalid');
    }
  }
}
