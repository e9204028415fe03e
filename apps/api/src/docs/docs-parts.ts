import type { OpenAPIObject } from '@nestjs/swagger';

/** Parts of the description that the page offers one at a time, so that nobody waits for what others came for. */
export const PARTS: Readonly<Record<string, readonly string[] | null>> = {
  Administration: [
    'accounts',
    'projects',
    'registries',
    'secrets',
    'webhooks',
    'automations',
    'artifacts',
    'releases',
    'deliveries',
    'archives',
    'health',
  ],
  'Training and chat': ['models', 'training', 'chat', 'runs'],
  Tracing: ['tracing'],
  'wandb SDK': ['wandb'],
  Everything: null,
};

type Json = Record<string, unknown>;

/** The operations of some tags, with the schemas that they refer to. */
export function partOf(document: OpenAPIObject, tags: readonly string[] | null): OpenAPIObject {
  if (tags === null) return document;
  const paths: OpenAPIObject['paths'] = {};
  for (const [path, operations] of Object.entries(document.paths)) {
    const kept = Object.entries(operations).filter(([, operation]) =>
      (operation as { tags?: string[] }).tags?.some((tag) => tags.includes(tag)),
    );
    if (kept.length > 0) paths[path] = Object.fromEntries(kept);
  }
  // What is sent belongs to who says what is sent.
  const { webhooks, ...rest } = document;
  const schemas = document.components?.schemas ?? {};
  const used = referredTo(paths, schemas);
  return {
    ...rest,
    ...(tags.includes('automations') && webhooks ? { webhooks } : {}),
    tags: document.tags?.filter(({ name }) => tags.includes(name)) ?? [],
    paths,
    components: {
      ...document.components,
      schemas: Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name))),
    },
  };
}

const PREFIX = '#/components/schemas/';

function referredTo(root: unknown, schemas: Json): Set<string> {
  const found = new Set<string>();
  const waiting = [root];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(PREFIX)) waiting.push(value);
      else if (!found.has(value.slice(PREFIX.length))) {
        found.add(value.slice(PREFIX.length));
        waiting.push(schemas[value.slice(PREFIX.length)]);
      }
    }
  }
  return found;
}
