import Type, { type Static } from 'typebox';
import { ProjectId } from '../request/page.schema.js';

export const FileDigest = Type.Object({
  digest: Type.String({ description: 'Over the bytes, in the SDKs’ alphabet' }),
});
export const ReadFile = Type.Object({ project_id: ProjectId, digest: Type.String() });
export type ReadFile = Static<typeof ReadFile>;
export const FilesStats = Type.Object({ project_id: ProjectId });
export const FilesSize = Type.Object({ total_size_bytes: Type.Integer() });
