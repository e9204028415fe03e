import { Injectable, type PipeTransform } from '@nestjs/common';
import { ValidationError } from '@heddle/http';
import { indexJson, type JsonNode, JsonError } from '@heddle/json';

/** Levels of a body that handlers look into; payloads lie deeper and stay text. `{batch: [{req: {start: {...}}}]}` is 6. */
const INDEXED_DEPTH = 6;

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
