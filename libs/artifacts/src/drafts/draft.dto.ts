import { IsLine } from '@heddle/http';
import { parseExact } from '@heddle/json';
import { MAX_NAME_LENGTH } from '@heddle/projects';
import { IsOptional, Matches } from 'class-validator';
import type { VersionRow } from '../versions/version-row.js';
import { CollectionPath } from '../collections/collection.dto.js';

export class DraftDto {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  id: string;

  /** @example "Trained on the mails of March." */
  description: string | null;

  /** @example {"accuracy": 0.93, "framework": "pytorch"} */
  metadata: Record<string, unknown>;

  file_count: number;

  size_bytes: number;

  /**
   * Username of the creator.
   * @example "ada"
   */
  created_by: string;

  created_at: Date;

  static from(row: VersionRow): DraftDto {
    return {
      id: row.id,
      description: row.description,
      metadata: parseExact(row.metadata) as Record<string, unknown>,
      file_count: row.file_count,
      size_bytes: Number(row.size_bytes),
      created_by: row.created_by,
      created_at: row.created_at,
    };
  }
}

export class DraftPath extends CollectionPath {
  /**
   * Id of the draft.
   * @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11"
   */
  @IsLine(MAX_NAME_LENGTH)
  draft: string;
}

export class UploadQuery {
  /**
   * The content's SHA-256 in hex: other content is refused. Also as the header `x-content-sha256`.
   * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
   */
  @IsOptional()
  @Matches(/^[\da-f]{64}$/i, { message: 'sha256 must be 64 hexadecimal digits' })
  sha256?: string;
}
