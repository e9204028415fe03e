import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import type { StoredFile } from './artifact-files.repository.js';

export class FileDto {
  /**
   * The path, as the cursor of the page.
   * @example "data/train.jsonl"
   */
  id: string;

  /** @example "data/train.jsonl" */
  path: string;

  /** In bytes. */
  size: number;

  /** @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" */
  sha256: string;

  static from({ path, size, sha256 }: StoredFile): FileDto {
    return { id: path, path, size, sha256 };
  }
}

export class ListFilesQuery {
  /**
   * Path of the last file of the page before.
   * @example "data/train.jsonl"
   */
  @IsOptional()
  @IsString()
  @MaxLength(1024)
  @Matches(/^[^\0\p{Cs}]*$/u, { message: 'after must be a path' })
  after?: string;

  /** Files of a page, 1 to 1,000. */
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number = 100;
}
