import Type, { type Static } from 'typebox';
import { Limit, Offset, ProjectId, SortBy } from '../request/page.schema.js';

const Optional = Type.Optional;
const Digests = Type.Array(Type.String());
const Row = Type.Record(Type.String(), Type.Unknown());

/** The fields of `table` beside its rows, which stay text. */
export const NewTable = Type.Object({ project_id: ProjectId, expected_digest: Optional(Type.String()) });
export type NewTable = Static<typeof NewTable>;
export const CreateTable = Type.Object({
  table: Type.Intersect([NewTable, Type.Object({ rows: Type.Array(Row) })]),
});
export const CreatedTable = Type.Object({ digest: Type.String(), row_digests: Digests });

export const BaseTable = Type.Object({ project_id: ProjectId, base_digest: Type.String() });
export type BaseTable = Static<typeof BaseTable>;
const Index = Type.Integer({ minimum: 0 });
export const UpdateTable = Type.Intersect([
  BaseTable,
  Type.Object({
    updates: Type.Array(
      Type.Union([
        Type.Object({ append: Type.Object({ row: Row }) }),
        Type.Object({ pop: Type.Object({ index: Index }) }),
        Type.Object({ insert: Type.Object({ index: Index, row: Row }) }),
      ]),
    ),
  }),
]);
export const UpdatedTable = Type.Object({ digest: Type.String(), updated_row_digests: Digests });
export const RowPlace = Type.Object({ index: Index });

export const TableFromDigests = Type.Object({
  project_id: ProjectId,
  row_digests: Digests,
  expected_digest: Optional(Type.String()),
});
export type TableFromDigests = Static<typeof TableFromDigests>;
export const TableDigest = Type.Object({ digest: Type.String() });

export const QueryTable = Type.Object({
  project_id: ProjectId,
  digest: Type.String(),
  filter: Optional(Type.Object({ row_digests: Optional(Type.Union([Digests, Type.Null()])) })),
  limit: Optional(Limit),
  offset: Optional(Offset),
  sort_by: Optional(SortBy),
});
export type QueryTable = Static<typeof QueryTable>;
export const TableRows = Type.Object({
  rows: Type.Array(Type.Object({ digest: Type.String(), val: Type.Unknown(), original_index: Type.Integer() })),
});

export const TableStats = Type.Object({ project_id: ProjectId, digest: Type.String() });
export type TableStats = Static<typeof TableStats>;
export const TableCount = Type.Object({ count: Type.Integer() });

export const TablesStats = Type.Object({
  project_id: ProjectId,
  digests: Optional(Digests),
  include_storage_size: Optional(Type.Boolean()),
});
export type TablesStats = Static<typeof TablesStats>;
export const TablesCounts = Type.Object({
  tables: Type.Array(
    Type.Object({
      digest: Type.String(),
      count: Type.Integer(),
      storage_size_bytes: Type.Union([Type.Integer(), Type.Null()]),
    }),
  ),
});
