import { isObject, jsonText } from './span-messages.js';

export interface TypedAttributes {
  custom_attrs_string: Record<string, string>;
  custom_attrs_int: Record<string, number>;
  custom_attrs_float: Record<string, number>;
  custom_attrs_bool: Record<string, boolean>;
}
export type AttributeSource = keyof TypedAttributes;

/** Names that have columns of their own, or that are made of others. */
const KNOWN =
  /^(gen_ai|weave|agent|system|kind|model|provider|model_parameters|tool|tools|operation|user|cost|usage_scope)($|\.)/;
const MAX_DEPTH = 16;

/** Whether what has this dotted key, if anything, is an attribute beyond the conventions. */
export const isCustomAttribute = (key: string): boolean => !KNOWN.test(key);

/** What a span's sender said beyond the conventions, by dotted key and by type. @param attributes JSON text */
export function typedAttributes(attributes: string | null | undefined): TypedAttributes {
  const typed: TypedAttributes = {
    custom_attrs_string: {},
    custom_attrs_int: {},
    custom_attrs_float: {},
    custom_attrs_bool: {},
  };
  if (attributes == null) return typed;
  for (const [key, value] of leaves(JSON.parse(attributes) as unknown, '', 0)) {
    if (!isCustomAttribute(key)) continue;
    if (typeof value === 'string') typed.custom_attrs_string[key] = value;
    else if (typeof value === 'boolean') typed.custom_attrs_bool[key] = value;
    else if (typeof value !== 'number') typed.custom_attrs_string[key] = jsonText(value);
    else if (Number.isInteger(value)) typed.custom_attrs_int[key] = value;
    else typed.custom_attrs_float[key] = value;
  }
  return typed;
}

function* leaves(value: unknown, key: string, depth: number): Generator<[string, unknown]> {
  if (isObject(value) && depth < MAX_DEPTH) {
    for (const [name, item] of Object.entries(value))
      yield* leaves(item, key === '' ? name : `${key}.${name}`, depth + 1);
  } else if (value !== null && key !== '') {
    yield [key, value];
  }
}
