import { IsJsonObject, IsLine, IsSegment, MayBeAbsent, PageQuery } from '@heddle/http';
import { parseExact } from '@heddle/json';
import { MAX_NAME_LENGTH } from '@heddle/projects';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { IsBase64Content } from './base64-content.decorator.js';
import { IsTtl } from './time-to-live.js';
import { refOf, type VersionRow } from './version-row.js';
import { CollectionPath } from '../collections/collection.dto.js';

const METADATA_EXAMPLE = { accuracy: 0.93, framework: 'pytorch' };
const MAX_LABELS = 20;

// Decorators are checked from the last to the first: how long a list is comes before what is in it.

export class VersionDto {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  id: string;

  /**
   * `v0`, `v1`, ...
   * @example "v0"
   */
  version: string;

  /** @example "weavers/loom/chat-model:v0" */
  ref: string;

  /**
   * SHA-256 over the files, in order of their paths, as `sha256sum` lists them.
   * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
   */
  digest: string;

  /** @example "Trained on the mails of March." */
  description: string | null;

  /** @example {"accuracy": 0.93, "framework": "pytorch"} */
  metadata: Record<string, unknown>;

  /** @example ["latest", "production"] */
  aliases: string[];

  /** @example ["reviewed"] */
  tags: string[];

  /** @example 1 */
  file_count: number;

  /** @example 16 */
  size_bytes: number;

  /**
   * Username of the creator.
   * @example "ada"
   */
  created_by: string;

  created_at: Date;

  committed_at: Date;

  /**
   * For how long it stays, in seconds from `created_at`; 0: for good; null: as its collection says, or else its team.
   * @example 2592000
   */
  ttl_seconds: number | null;

  /** When it is deleted, by its own word or what it inherits. Null: it stays, as long as nobody says otherwise, or a registry links it. */
  expires_at: Date | null;

  static from(row: VersionRow): VersionDto {
    return {
      id: row.id,
      version: `v${row.index!}`,
      ref: refOf(row)!,
      digest: row.digest!,
      description: row.description,
      metadata: parseExact(row.metadata) as Record<string, unknown>,
      aliases: row.aliases,
      tags: row.tags,
      file_count: row.file_count,
      size_bytes: Number(row.size_bytes),
      created_by: row.created_by,
      created_at: row.created_at,
      committed_at: row.committed_at!,
      ttl_seconds: row.ttl_seconds === null ? null : Number(row.ttl_seconds),
      expires_at: row.expires_at,
    };
  }
}

export class VersionPath extends CollectionPath {
  /**
   * `vN`, an alias, a digest or an id.
   * @example "v0"
   */
  @IsLine(MAX_NAME_LENGTH)
  version: string;
}

export class VersionAliasPath extends VersionPath {
  /**
   * Neither `latest` nor like `v3`, a digest or an id.
   * @example "production"
   */
  @IsSegment(MAX_NAME_LENGTH)
  alias: string;
}

export class VersionTagPath extends VersionPath {
  /** @example "reviewed" */
  @IsLine(MAX_NAME_LENGTH)
  tag: string;
}

export class ListVersionsQuery extends PageQuery {
  /**
   * Only versions with this tag.
   * @example "reviewed"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  tag?: string;
}

export class UpdateVersionDto {
  /** @example "Trained on the mails of March." */
  @IsOptional()
  @IsString()
  @MaxLength(10_000)
  @Matches(/^[^\0\p{Cs}]*$/u, { message: '$property must be storable text' })
  description?: string | null;

  /** Yours to choose, at most 256 KiB; payloads see its top-level keys. */
  @MayBeAbsent()
  @IsJsonObject(METADATA_EXAMPLE)
  metadata?: Record<string, unknown>;

  /**
   * For how long it stays, in seconds from when it was made; 0: for good; null: as its collection says, or else its team.
   * @example 2592000
   */
  @IsTtl()
  ttl_seconds?: number | null;
}

export class CommitDraftDto {
  /**
   * Aliases that move to the new version, beside `latest`.
   * @example ["production"]
   */
  @MayBeAbsent()
  @ArrayUnique()
  @IsString({ each: true })
  @MaxLength(MAX_NAME_LENGTH, { each: true })
  @Matches(/^(?!\.{1,2}$)[^/:\p{Cc}\p{Cs}]+$/u, {
    each: true,
    message: 'each of $property must be printable, without slashes and colons',
  })
  @ArrayMaxSize(MAX_LABELS)
  @IsArray()
  aliases?: string[];

  /** @example ["reviewed"] */
  @MayBeAbsent()
  @IsString({ each: true })
  @MaxLength(MAX_NAME_LENGTH, { each: true })
  @Matches(/^[^\p{Cc}\p{Cs}]+$/u, { each: true, message: 'each of $property must be printable' })
  @ArrayMaxSize(MAX_LABELS)
  @IsArray()
  tags?: string[];
}

export class InlineFileDto {
  /** @example "train.jsonl" */
  @IsString()
  path: string;

  /**
   * In base64.
   * @example "eyJtZXNzYWdlcyI6W119Cg=="
   */
  @IsBase64Content()
  content: string;
}

export class CreateVersionDto extends CommitDraftDto {
  /** @example "Trained on the mails of March." */
  @IsOptional()
  @IsString()
  @MaxLength(10_000)
  @Matches(/^[^\0\p{Cs}]*$/u, { message: '$property must be storable text' })
  description?: string | null;

  /** Yours to choose, at most 256 KiB; payloads see its top-level keys. */
  @MayBeAbsent()
  @IsJsonObject(METADATA_EXAMPLE)
  metadata?: Record<string, unknown>;

  /**
   * For how long it stays, in seconds from when it was made; 0: for good; null: as its collection says, or else its team.
   * @example 2592000
   */
  @IsTtl()
  ttl_seconds?: number | null;

  /** Small files. Upload others to a draft. */
  @MayBeAbsent()
  @ValidateNested({ each: true })
  @Type(() => InlineFileDto)
  // A list within the list would be looked at as if it were one of its files.
  @IsObject({ each: true })
  @ArrayMaxSize(1000)
  @IsArray()
  files?: InlineFileDto[];
}
