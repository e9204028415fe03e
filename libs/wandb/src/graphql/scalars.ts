import { GraphQLScalarType, type GraphQLScalarTypeConfig, valueFromASTUntyped } from 'graphql';

type ScalarConfig = Omit<GraphQLScalarTypeConfig<unknown, unknown>, 'name'>;

const anything: ScalarConfig = {
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
};

const exactInteger = (value: unknown): number => {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new TypeError(`${String(value)} is not an integer that can be held exactly`);
  return number;
};

const integer: ScalarConfig = {
  serialize: exactInteger,
  parseValue: exactInteger,
  parseLiteral: (node) => exactInteger('value' in node ? node.value : NaN),
};

const text = (value: unknown): string => {
  if (typeof value !== 'string') throw new TypeError('must be a string that holds JSON');
  return value;
};

/** How the schema's scalars are read and written, by name. */
export const SCALARS: Readonly<Record<string, ScalarConfig>> = {
  JSON: anything,
  JSONString: {
    serialize: text,
    parseValue: text,
    parseLiteral: (node) => text('value' in node ? node.value : undefined),
  },
  Int64: integer,
  Duration: integer,
  DateTime: { ...anything, serialize: (date) => (date as Date).toISOString().slice(0, 19) },
};

/** Sets on the types of a schema built from SDL, which know nothing but their names, how they behave. */
export function defineScalar(type: GraphQLScalarType): void {
  const config = SCALARS[type.name];
  if (config) Object.assign(type, new GraphQLScalarType({ ...config, name: type.name, description: type.description }));
}
