import { Injectable, Optional, type PipeTransform } from '@nestjs/common';
import { ValidationError } from '@heddle/http';
import { indexJson, type IndexOptions, type JsonNode, JsonError } from '@heddle/json';

/** `{filter: {op_names: []}}` is 2; what lies deeper is indexed when it is asked for. */
const DEFAULT: IndexOptions = { depth: 5 };

/**
 * `@Body(TraceBodyPipe) body: JsonNode`: the body's shallow index, made without blocking the event loop. Where payloads lie
 * within the default depth, say how deep the request's own fields lie, `@Body(new TraceBodyPipe({ depth: 3 }))`: the number
 * of values that are indexed is limited, and long arrays in payloads are nobody's mistake.
 */
@Injectable()
export class TraceBodyPipe implements PipeTransform<Buffer, Promise<JsonNode>> {
  constructor(@Optional() private readonly options: IndexOptions = DEFAULT) {}

  async transform(bytes: Buffer): Promise<JsonNode> {
    try {
      return await indexJson(bytes, this.options);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      throw ValidationError.at(['body'], error.message, 'json_invalid');
    }
  }
}
