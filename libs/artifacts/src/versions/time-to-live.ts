import { applyDecorators } from '@nestjs/common';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

/** A thousand years. */
export const MAX_TTL_SECONDS = 31_557_600_000;

/** Types of what clients make by themselves: nobody would miss to say that it is to stay. */
const GENERATED = /^(?:run_table|code|job|wandb-.*)$/s;

export const mayExpire = (type: string): boolean => !GENERATED.test(type);

/** What a version `v` of the collection `c` of the team `t` inherits, in seconds; NULL: nothing. */
export const INHERITED_TTL = `
  CASE WHEN c.type IN ('run_table', 'code', 'job') OR c.type LIKE 'wandb-%' THEN NULL
       ELSE nullif(coalesce(c.ttl_seconds, t.artifact_ttl_seconds), 0) END`;

/** For how long it stays, in seconds; NULL: for good. */
export const TTL = `CASE WHEN v.ttl_seconds IS NULL THEN ${INHERITED_TTL} ELSE nullif(v.ttl_seconds, 0) END`;

/**
 * When it goes. Never while a registry links it; nor a model's checkpoint, which has rules of its own.
 */
export const EXPIRES_AT = `
  CASE WHEN v.committed_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM artifact_memberships l WHERE l.version_id = v.id AND l.collection_id <> v.collection_id)
        AND NOT EXISTS (SELECT FROM checkpoints k WHERE k.version_id = v.id)
       THEN v.created_at + make_interval(secs => (${TTL})::double precision) END`;

/** Seconds from when a version was made; 0: for good; null: what is inherited. */
export const IsTtl = (): PropertyDecorator =>
  applyDecorators(IsOptional(), IsInt(), Min(0), Max(MAX_TTL_SECONDS)) as PropertyDecorator;
