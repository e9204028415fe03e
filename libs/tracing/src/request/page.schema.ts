import Type from 'typebox';

/** Largest row number that PostgreSQL's integers and ours both count to. */
const MAX_ROWS = 2_147_483_647;

export const ProjectId = Type.String({ description: '`entity/project`' });
export const Limit = Type.Integer({ minimum: 0, maximum: MAX_ROWS });
export const Offset = Type.Integer({ minimum: 0, maximum: MAX_ROWS });
export const SortBy = Type.Array(
  Type.Object({
    field: Type.String({ maxLength: 2000 }),
    direction: Type.Union([Type.Literal('asc'), Type.Literal('desc')]),
  }),
  { maxItems: 20 },
);

/** Of routes that delete; see idsToPurge. */
export const PurgeQuery = Type.Object(
  { $expr: Type.Unknown() },
  { description: '`$eq` or `$in` of the field `id`, or an `$or` of such: a purge deletes what it names, nothing else' },
);
