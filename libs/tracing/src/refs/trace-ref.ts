import type { ObjectKind } from '@heddle/database';
import type { ProjectName } from '@heddle/projects';

/** One step into a value: an attribute or key, a list index, or a row of a table by its digest. */
export type RefStep = { key: string } | { index: number } | { row: string };

export type TraceRefTarget =
  | { type: 'object'; kind: ObjectKind; objectId: string; version: string }
  | { type: 'table'; digest: string }
  | { type: 'call'; id: string };

/** `weave:///entity/project/object/NAME:VERSION/attr/rows/id/DIGEST` in its parts. */
export interface TraceRef {
  project: ProjectName;
  target: TraceRefTarget;
  path: RefStep[];
}

const SCHEME = 'weave:///';

/** Reads a reference; null for what is none. */
export function parseTraceRef(text: string): TraceRef | null {
  if (!text.startsWith(SCHEME)) return null;
  const parts = text.slice(SCHEME.length).split('/').map(decode);
  const [entity, project, kind, name, ...rest] = parts;
  const target = targetOf(kind, name);
  const path = stepsOf(rest);
  return entity && project && target && path ? { project: { entity, project }, target, path } : null;
}

function targetOf(kind: string | undefined, name: string | undefined): TraceRefTarget | null {
  if (!name) return null;
  switch (kind) {
    case 'object':
    case 'op': {
      const colon = name.lastIndexOf(':');
      const [objectId, version] = colon < 0 ? [name, 'latest'] : [name.slice(0, colon), name.slice(colon + 1)];
      return { type: 'object', kind, objectId, version };
    }
    case 'table':
      return { type: 'table', digest: name };
    case 'call':
      return { type: 'call', id: name };
    default:
      return null;
  }
}

function stepsOf(parts: string[]): RefStep[] | null {
  const steps: RefStep[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const [edge, value] = [parts[i], parts[i + 1]];
    if (value === undefined) return null;
    if (edge === 'attr' || edge === 'key') steps.push({ key: value });
    else if (edge === 'index' && /^\d{1,9}$/.test(value)) steps.push({ index: Number(value) });
    else if (edge === 'id') steps.push({ row: value });
    else return null;
  }
  return steps;
}

/** Clients quote the steps; a name with a stray % is taken as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
