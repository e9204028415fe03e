import { jsonObject, type JsonMember, type JsonNode, raw } from '@heddle/json';
import Type, { type TObject } from 'typebox';
import { placeholder } from './op-source.js';

const Optional = Type.Optional;
const Text = Type.String();
const Members = Type.Record(Type.String(), Type.Unknown());

/** What making an object may take beside the request: files, ops and tables are objects of their own. */
export interface Maker {
  /** Stores text as a file, and returns its digest. */
  file(text: string): Promise<string>;
  /** Publishes an op, and returns the reference to it. */
  op(name: string, source: string): Promise<string>;
  /** Stores rows, and returns the reference to their table. */
  table(rows: JsonNode): Promise<string>;
}

/** What is read of a version. */
export interface Version {
  objectId: string;
  val: JsonNode;
  /** Text of the file that the value names as its source; '' where there is none. */
  source: string;
}

/** One of the kinds of objects that the clients make and read field by field. */
export interface ObjectKind {
  plural: string;
  name: string;
  /** Of a new object; rows and attributes stay text. */
  body: TObject;
  example: object;
  fields: TObject;
  isOp: boolean;
  /** Member of the answer that refers to the new version. */
  ref?: string;
  val(body: JsonNode, fields: { name: string; objectId: string }, make: Maker): Promise<JsonMember[]>;
  members(version: Version): JsonMember[];
}

const common = { name: Optional(Text), description: Optional(Type.Union([Text, Type.Null()])) };
const named = { ...common, name: Type.String({ minLength: 1 }) };
const classOf = (name: string): JsonMember[] => [
  ['_type', name],
  ['_class_name', name],
  ['_bases', ['Object', 'BaseModel']],
];
const text = (node: JsonNode, name: string): string | null => node.get(name)?.string() ?? null;
const nameAndDescription = ({ val, objectId }: Version): JsonMember[] => [
  ['name', text(val, 'name') ?? objectId],
  ['description', text(val, 'description')],
];
const json = (node: JsonNode | undefined, otherwise: unknown): unknown => (node ? raw(node.raw()) : otherwise);

const DATASET: ObjectKind = {
  plural: 'datasets',
  name: 'Dataset',
  body: Type.Object({ ...common, rows: Type.Array(Members) }),
  example: { name: 'questions', rows: [{ question: 'How are you?' }] },
  fields: Type.Object({ ...common, rows: Text }),
  isOp: false,
  val: async (body, { name }, make) => [
    ...classOf('Dataset'),
    ['name', name],
    ['description', text(body, 'description')],
    ['rows', await make.table(body.get('rows')!)],
  ],
  members: (version) => [...nameAndDescription(version), ['rows', text(version.val, 'rows') ?? '']],
};

const OP: ObjectKind = {
  plural: 'ops',
  name: 'Op',
  body: Type.Object({ name: Optional(Text), source_code: Optional(Text) }),
  example: { name: 'answer', source_code: 'def answer(question): ...' },
  fields: Type.Object({ code: Text }),
  isOp: true,
  val: async (body, _, make) => opMembers(await make.file(text(body, 'source_code') ?? placeholder('func'))),
  members: ({ source }) => [['code', source]],
};

export const opMembers = (sourceDigest: string): JsonMember[] => [
  ['_type', 'CustomWeaveType'],
  ['weave_type', { type: 'Op' }],
  ['files', { 'obj.py': sourceDigest }],
];

/** Members of a model's value that aren't attributes of its own. */
const MODEL_MEMBERS = new Set(['_type', '_class_name', '_bases', 'name', 'description', 'files']);

const MODEL: ObjectKind = {
  plural: 'models',
  name: 'Model',
  body: Type.Object({ ...named, source_code: Text, attributes: Optional(Type.Union([Members, Type.Null()])) }),
  example: { name: 'assistant', source_code: 'class Assistant: ...' },
  fields: Type.Object({ ...common, source_code: Text, attributes: Optional(Type.Unknown()) }),
  isOp: false,
  ref: 'model_ref',
  val: async (body, { name }, make) => [
    ...classOf('Model'),
    ['name', name],
    ['description', text(body, 'description')],
    ['files', { 'obj.py': await make.file(text(body, 'source_code')!) }],
    ...attributesOf(body.get('attributes'), MODEL_MEMBERS),
  ],
  members: (version) => {
    const attributes = attributesOf(version.val, MODEL_MEMBERS);
    return [
      ...nameAndDescription(version),
      ['source_code', version.source],
      ['attributes', attributes.length > 0 ? raw(jsonObject(attributes)) : null],
    ];
  },
};

const SCORER: ObjectKind = {
  plural: 'scorers',
  name: 'Scorer',
  body: Type.Object({ ...named, op_source_code: Text }),
  example: { name: 'exact', op_source_code: 'def score(output, target): ...' },
  fields: Type.Object({ ...common, score_op: Text }),
  isOp: false,
  ref: 'scorer',
  val: async (body, { name, objectId }, make) => [
    ...classOf('Scorer'),
    ['name', name],
    ['description', text(body, 'description')],
    ['score', await make.op(`${objectId}_score`, text(body, 'op_source_code')!)],
    ['summarize', await make.op(`${objectId}_summarize`, placeholder('summarize'))],
    ['column_map', null],
  ],
  members: (version) => [...nameAndDescription(version), ['score_op', text(version.val, 'score') ?? '']],
};

const EVALUATION_OPS = ['evaluate', 'predict_and_score', 'summarize'] as const;

const EVALUATION: ObjectKind = {
  plural: 'evaluations',
  name: 'Evaluation',
  body: Type.Object({
    ...named,
    dataset: Text,
    scorers: Optional(Type.Union([Type.Array(Text), Type.Null()])),
    trials: Optional(Type.Integer({ minimum: 1 })),
    evaluation_name: Optional(Type.Union([Text, Type.Null()])),
    eval_attributes: Optional(Type.Union([Members, Type.Null()])),
  }),
  example: { name: 'quality', dataset: 'weave:///acme/support/object/questions:v0', scorers: [] },
  fields: Type.Object({ ...common, dataset: Text, scorers: Type.Array(Text), trials: Type.Integer() }),
  isOp: false,
  ref: 'evaluation_ref',
  val: async (body, { name, objectId }, make) => [
    ...classOf('Evaluation'),
    ['name', name],
    ['description', text(body, 'description')],
    ['dataset', text(body, 'dataset')],
    ['scorers', json(body.get('scorers'), [])],
    ['trials', body.get('trials')?.number() ?? 1],
    ['evaluation_name', text(body, 'evaluation_name')],
    ['metadata', null],
    ['preprocess_model_input', null],
    ...(await inTurn(EVALUATION_OPS, async (op): Promise<JsonMember> => {
      return [op, await make.op(`${objectId}.${op}`, placeholder(op))];
    })),
    ...attributesOf(body.get('eval_attributes'), new Set(['_type', '_class_name', '_bases', 'name'])),
  ],
  members: (version) => [
    ...nameAndDescription(version),
    ['dataset', text(version.val, 'dataset') ?? ''],
    ['scorers', json(version.val.get('scorers'), [])],
    ['trials', version.val.get('trials')?.number() ?? 1],
    ['evaluation_name', text(version.val, 'evaluation_name')],
    ...EVALUATION_OPS.map((op): JsonMember => [`${op}_op`, text(version.val, op) ?? '']),
  ],
};

export const OBJECT_KINDS = [DATASET, OP, MODEL, SCORER, EVALUATION];

function attributesOf(node: JsonNode | undefined, without: ReadonlySet<string>): JsonMember[] {
  const members = node?.kind === 'object' ? [...node.entries()] : [];
  return members.filter(([name]) => !without.has(name)).map(([name, value]) => [name, raw(value.raw())]);
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
