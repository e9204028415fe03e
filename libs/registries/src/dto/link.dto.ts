import { refOf, type VersionRow } from '@heddle/artifacts';
import { IsLine, IsSegment, PageQuery } from '@heddle/http';
import { parseExact } from '@heddle/json';
import { MAX_NAME_LENGTH } from '@heddle/projects';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { RegistryCollectionPath } from './registry-collection.dto.js';

export class LinkDto {
  /**
   * The version's id, here as in its project.
   * @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11"
   */
  id: string;

  /**
   * In this collection: `v0` is what was linked first.
   * @example "v0"
   */
  version: string;

  /**
   * Where the version was made.
   * @example "weavers/loom/chat-model:v0"
   */
  artifact: string;

  /** @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" */
  digest: string;

  /** @example {"accuracy": 0.93} */
  metadata: Record<string, unknown>;

  /**
   * Of this collection: those of the project are its own.
   * @example ["latest", "production"]
   */
  aliases: string[];

  /** @example ["approved"] */
  tags: string[];

  /** Username of whoever linked it. */
  linked_by: string;

  linked_at: Date;

  static from(row: VersionRow): LinkDto {
    return {
      id: row.id,
      version: `v${row.index!}`,
      artifact: refOf(row)!,
      digest: row.digest!,
      metadata: parseExact(row.metadata) as Record<string, unknown>,
      aliases: row.aliases,
      tags: row.tags,
      linked_by: row.added_by!,
      linked_at: row.added_at!,
    };
  }
}

export class CreateLinkDto {
  /**
   * Ref of a version of the same team, in a project that you may read; without a version, `latest`.
   * @example "weavers/loom/chat-model:v0"
   */
  @IsString()
  @MaxLength(1000)
  artifact: string;
}

export class ListLinksQuery extends PageQuery {
  /**
   * Only versions with this tag.
   * @example "approved"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  tag?: string;
}

export class LinkPath extends RegistryCollectionPath {
  /**
   * `vN` of this collection, one of its aliases, a digest or an id.
   * @example "v0"
   */
  @IsLine(MAX_NAME_LENGTH)
  version: string;
}

export class LinkAliasPath extends LinkPath {
  /**
   * Neither `latest` nor like `v3`, a digest or an id.
   * @example "production"
   */
  @IsSegment(MAX_NAME_LENGTH)
  alias: string;
}

export class LinkTagPath extends LinkPath {
  /** @example "approved" */
  @IsLine(MAX_NAME_LENGTH)
  tag: string;
}
