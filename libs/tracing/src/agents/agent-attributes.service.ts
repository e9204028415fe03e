import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { JsonNode } from '@heddle/json';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import { AgentSpansReader, between } from './agent-spans.reader.js';
import { DEFAULT_ATTRIBUTES, type QueryAttributes } from './agents.schema.js';
import { type AttributeSource, typedAttributes } from './typed-attributes.js';

const TYPES: Readonly<Record<AttributeSource, string>> = {
  custom_attrs_string: 'string',
  custom_attrs_int: 'int',
  custom_attrs_float: 'float',
  custom_attrs_bool: 'bool',
};

/** Which attributes spans have beyond the conventions'. */
@Injectable()
export class AgentAttributesService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly reader: AgentSpansReader,
  ) {}

  /** By key and type, those of most spans first. */
  async find(caller: Principal, request: QueryAttributes, body: JsonNode, signal: AbortSignal): Promise<object> {
    const project = await this.access.find(caller, parseProjectId(request.project_id));
    const where = between(request.started_after, request.started_before);
    const counts = new Map<string, { source: AttributeSource; key: string; span_count: number }>();
    const query = { where, body, details: true };
    for await (const rows of this.reader.pages(project?.id ?? 0, query, signal))
      for (const { attributes } of rows) add(counts, attributes);
    const { limit = DEFAULT_ATTRIBUTES, offset = 0 } = request;
    const all = [...counts.values()].sort(
      (a, b) => b.span_count - a.span_count || (a.key < b.key ? -1 : 1) || (a.source < b.source ? -1 : 1),
    );
    const attributes = all.slice(offset, offset + limit).map((one) => ({ ...one, value_type: TYPES[one.source] }));
    return { attributes, limit, offset, has_more: all.length > offset + limit };
  }
}

function add(
  counts: Map<string, { source: AttributeSource; key: string; span_count: number }>,
  attributes: string | null | undefined,
): void {
  for (const [source, values] of Object.entries(typedAttributes(attributes)) as [AttributeSource, object][]) {
    for (const key of Object.keys(values)) {
      const found = counts.get(`${source} ${key}`) ?? { source, key, span_count: 0 };
      found.span_count++;
      counts.set(`${source} ${key}`, found);
    }
  }
}
