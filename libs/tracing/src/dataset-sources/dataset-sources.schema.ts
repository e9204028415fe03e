import Type, { type Static, type TSchema } from 'typebox';
import { Limit, Offset, ProjectId } from '../request/page.schema.js';

const Optional = Type.Optional;
const Time = Type.String({ format: 'date-time' });
const Texts = Type.Array(Type.String());
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const MAX_LINKS = 1000;
export const MAX_ROW_DIGESTS = 100;

const Kind = Type.Enum(['call', 'span', 'conversation']);
const SourceRef = Type.Object({
  source_kind: Kind,
  source_id: Type.String({ minLength: 1, maxLength: 1000, description: "The call's, span's or conversation's id" }),
  source_trace_id: Type.String({
    maxLength: 1000,
    description: "A span's trace. Empty for a conversation; a call's is known",
  }),
});
export type SourceRef = Static<typeof SourceRef>;

const Links = Type.Array(
  Type.Object({
    row_digest: Type.String({ minLength: 1, maxLength: 1000 }),
    sources: Type.Array(SourceRef, { maxItems: MAX_LINKS }),
    link_metadata: Optional(orNull(Type.Record(Type.String(), Type.Unknown()))),
  }),
  { maxItems: MAX_LINKS, description: `At most ${MAX_LINKS} sources in all` },
);
const DatasetId = Type.String({ minLength: 1, maxLength: 1000 });
export const LinkSources = Type.Object({
  project_id: ProjectId,
  dataset_object_id: DatasetId,
  dataset_digest: Type.String({ description: 'The version that the links were made for; it is not kept' }),
  links: Links,
  include_created_status: Optional(Type.Boolean()),
});
export type LinkSources = Static<typeof LinkSources>;
export const LinkedSources = Type.Object({
  entries: Type.Array(Type.Object({ link_id: Type.String(), created: orNull(Type.Boolean()) })),
});

export const UnlinkSources = Type.Object({
  project_id: ProjectId,
  link_ids: Type.Array(Type.String(), { maxItems: MAX_LINKS }),
});
export const UnlinkedSources = Type.Object({
  entries: Type.Array(Type.Object({ link_id: Type.String(), deleted: Type.Boolean() })),
});

export const QuerySources = Type.Object({
  project_id: ProjectId,
  dataset_object_id: DatasetId,
  row_digests: Optional(Type.Array(Type.String(), { maxItems: 10_000 })),
  source_kinds: Optional(Type.Array(Kind, { maxItems: 100 })),
  include_deleted: Optional(Type.Boolean()),
  limit: Optional({ ...Limit, maximum: 10_000, description: 'Default: 10000' }),
  offset: Optional(Offset),
});
export type QuerySources = Static<typeof QuerySources>;
export const SourcesFound = Type.Object({
  links: Type.Array(
    Type.Object({
      id: Type.String(),
      row_digest: Type.String(),
      source_kind: Kind,
      source_id: Type.String(),
      source_trace_id: Type.String(),
      source_started_at: Time,
      source_display_name: Type.String({ description: 'As when it was linked' }),
      link_metadata: orNull(Type.Object({})),
      added_by: Type.String(),
      created_at: Time,
      updated_at: Time,
      deleted_at: orNull(Time),
    }),
  ),
});

export const QueryDatasets = Type.Object({
  project_id: ProjectId,
  sources: Type.Array(SourceRef, { maxItems: MAX_LINKS }),
  include_deleted: Optional(Type.Boolean()),
});
export type QueryDatasets = Static<typeof QueryDatasets>;
export const DatasetsFound = Type.Object({
  memberships: Type.Array(
    Type.Object({
      source_kind: Kind,
      source_id: Type.String(),
      source_trace_id: Type.String(),
      dataset_object_id: Type.String(),
      row_digests: { ...Texts, description: `The first ${MAX_ROW_DIGESTS}` },
      row_digests_truncated: Type.Boolean(),
      row_digests_total_count: Type.Integer(),
      first_seen_at: Time,
    }),
  ),
});
