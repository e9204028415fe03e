import type { ObjectKind } from '@heddle/database';
import { appendMember, type JsonNode } from '@heddle/json';

/** What a value says about its own class in `_bases` and `_class_name`; null where it is no Weave object. */
export interface ObjectClasses {
  /** The class right below Object or BaseObject: Dataset, Evaluation, Model, Prompt, Scorer... */
  base: string | null;
  leaf: string | null;
}

const ROOTS = ['Object', 'BaseObject'];

/** The clients' own rule: `_bases` ends in [..., base, Object | BaseObject, BaseModel]. */
export function classesOf(val: JsonNode): ObjectClasses {
  const bases = [...(val.get('_bases')?.items() ?? [])].map((node) => node.string() ?? '');
  const leaf = val.get('_class_name')?.string();
  if (leaf === undefined || bases.at(-1) !== 'BaseModel' || !ROOTS.includes(bases.at(-2) ?? '')) {
    return { base: null, leaf: null };
  }
  return { base: bases.at(-3) ?? leaf, leaf };
}

export function kindOf(val: JsonNode): ObjectKind {
  if (val.get('_type')?.string() !== 'CustomWeaveType') return 'object';
  return val.get('weave_type')?.get('type')?.string() === 'Op' ? 'op' : 'object';
}

/** A plain object of a class that the clients build in, with the members that tell a reader the class. */
export function withClass(val: Buffer, className: string): Buffer {
  const named = appendMember(appendMember(val, '_type', className), '_class_name', className);
  return appendMember(named, '_bases', ['BaseObject', 'BaseModel']);
}
