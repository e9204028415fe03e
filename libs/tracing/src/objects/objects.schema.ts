import Type, { type Static } from 'typebox';
import { Limit, Offset, ProjectId, SortBy } from '../request/page.schema.js';

const Optional = Type.Optional;
const Names = Type.Array(Type.String());
const NullableText = Type.Union([Type.String(), Type.Null()]);

/** The fields of `obj` beside `val`, which stays text. */
export const NewObject = Type.Object({
  project_id: ProjectId,
  object_id: Type.String({ minLength: 1 }),
  builtin_object_class: Optional(Type.String()),
  set_base_object_class: Optional(Type.String()),
  expected_digest: Optional(Type.String({ description: 'Refused with 409 if the server computes another one.' })),
});
export type NewObject = Static<typeof NewObject>;
export const CreateObject = Type.Object({ obj: Type.Intersect([NewObject, Type.Object({ val: Type.Unknown() })]) });
export const CreatedObject = Type.Object({ digest: Type.String(), object_id: Type.String() });

export const ReadObject = Type.Object({
  project_id: ProjectId,
  object_id: Type.String(),
  digest: Type.String({ description: '`latest`, `v` and a version index, an alias, or a digest' }),
  metadata_only: Optional(Type.Boolean()),
  include_tags_and_aliases: Optional(Type.Boolean()),
});
export type ReadObject = Static<typeof ReadObject>;

export const QueryObjects = Type.Object({
  project_id: ProjectId,
  filter: Optional(
    Type.Object({
      base_object_classes: Optional(Type.Union([Names, Type.Null()])),
      exclude_base_object_classes: Optional(Type.Union([Names, Type.Null()])),
      leaf_object_classes: Optional(Type.Union([Names, Type.Null()])),
      object_ids: Optional(Type.Union([Names, Type.Null()])),
      is_op: Optional(Type.Union([Type.Boolean(), Type.Null()])),
      latest_only: Optional(Type.Union([Type.Boolean(), Type.Null()])),
      tags: Optional(Type.Union([Names, Type.Null()])),
      aliases: Optional(Type.Union([Names, Type.Null()])),
    }),
  ),
  limit: Optional(Limit),
  offset: Optional(Offset),
  sort_by: Optional(SortBy),
  metadata_only: Optional(Type.Boolean()),
  include_storage_size: Optional(Type.Boolean()),
  include_tags_and_aliases: Optional(Type.Boolean()),
});
export type QueryObjects = Static<typeof QueryObjects>;

export const DeleteObject = Type.Object({
  project_id: ProjectId,
  object_id: Type.String(),
  digests: Optional(Type.Array(Type.String(), { description: 'All versions if it is left out' })),
});
export type DeleteObject = Static<typeof DeleteObject>;
export const DeletedObjects = Type.Object({
  num_deleted: Type.Integer(),
  deleted_versions: Type.Array(
    Type.Object({ digest: Type.String(), base_object_class: NullableText, leaf_object_class: NullableText }),
  ),
});

export const ObjectVersion = Type.Object({
  project_id: Type.String(),
  object_id: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  deleted_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  digest: Type.String(),
  version_index: Type.Integer(),
  is_latest: Type.Integer(),
  kind: Type.Union([Type.Literal('object'), Type.Literal('op')]),
  base_object_class: NullableText,
  leaf_object_class: NullableText,
  wb_user_id: NullableText,
  size_bytes: Optional(Type.Integer()),
  tags: Optional(Names),
  aliases: Optional(Names),
  val: Type.Unknown(),
});
export const ObjectRead = Type.Object({ obj: ObjectVersion });
export const ObjectsFound = Type.Object({ objs: Type.Array(ObjectVersion) });
