import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { schemaCheck, SchemaRefusal } from '@heddle/engine';
import { ValidationError } from '@heddle/http';
import { indexJsonSync, type JsonNode } from '@heddle/json';
import { RefsService } from '../refs/refs.service.js';
import { parseTraceRef } from '../refs/trace-ref.js';

/** Values deeper or longer than these say nothing to a reader of annotations. */
const MAX_VALUE_BYTES = 256 * 1024;

export interface Annotation {
  project: { entity: string; project: string };
  ref: string;
  /** `payload.value`. */
  value: JsonNode;
  loc: (string | number)[];
}

/** What people may say in an annotation is what its spec, a published object, has a JSON schema for. */
@Injectable()
export class AnnotationSpecsService {
  constructor(private readonly refs: RefsService) {}

  /** @throws ValidationError where the spec isn't there, is none, or doesn't allow the value */
  async check(caller: Principal, { project, ref, value, loc }: Annotation): Promise<void> {
    const at = [...loc, 'annotation_ref'];
    const parsed = parseTraceRef(ref)!;
    if (parsed.project.entity !== project.entity || parsed.project.project !== project.project)
      throw ValidationError.at(at, 'must name a spec of the same project', 'annotation_spec');
    const [spec] = await this.refs.read(caller, [ref]);
    if (!spec) throw ValidationError.at(at, 'There is no such spec', 'annotation_spec');
    const schema = schemaOf(spec);
    if (!schema) throw ValidationError.at(at, 'The object is no annotation spec', 'annotation_spec');
    if (value.byteLength > MAX_VALUE_BYTES)
      throw ValidationError.at([...loc, 'payload', 'value'], `more than ${MAX_VALUE_BYTES} bytes`, 'too_large');
    const problem = complaint(schema, value.value(), at);
    if (problem === null) return;
    throw ValidationError.at(
      [...loc, 'payload', 'value'],
      `The spec does not allow it: ${problem}`,
      'annotation_value',
    );
  }
}

function complaint(schema: Record<string, unknown>, value: unknown, at: (string | number)[]): string | null {
  try {
    return schemaCheck(schema)(value);
  } catch (error) {
    if (!(error instanceof SchemaRefusal)) throw error;
    throw ValidationError.at(at, `The spec's schema can't be used: ${error.message}`, 'annotation_spec');
  }
}

function schemaOf(spec: Buffer): Record<string, unknown> | null {
  if (spec.length > MAX_VALUE_BYTES) return null;
  const val = indexJsonSync(spec);
  if (val.kind !== 'object') return null;
  const schema = val.get('field_schema');
  if (!schema) return {};
  return schema.kind === 'object' ? (schema.value() as Record<string, unknown>) : null;
}
