import Type, { type Static } from 'typebox';
import { ProjectId } from '../request/page.schema.js';

const Labels = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 100 });

export const TagVersion = Type.Object({ project_id: ProjectId, tags: Labels });
export type TagVersion = Static<typeof TagVersion>;
export const SetAliases = Type.Object({ project_id: ProjectId, digest: Type.String(), aliases: Labels });
export type SetAliases = Static<typeof SetAliases>;
export const RemoveAliases = Type.Object({ project_id: ProjectId, aliases: Labels });
export type RemoveAliases = Static<typeof RemoveAliases>;

export const Tags = Type.Object({ tags: Type.Array(Type.String()) });
export const Aliases = Type.Object({ aliases: Type.Array(Type.String()) });
export const Nothing = Type.Object({});
