import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsOptional, IsString } from 'class-validator';
import type { Landed } from '../importing/landing.js';

const MAX_RUNS = 1000;
const ROWS = { type: 'object', additionalProperties: { type: 'integer' } } as const;

export class ExportQuery {
  /** Names of runs: only these, and the artifact versions that they made or used. Otherwise the whole project. */
  @ApiProperty({ type: [String], required: false, example: ['first-try'] })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value : [value]))
  @ArrayMaxSize(MAX_RUNS)
  @IsString({ each: true })
  run?: string[];
}

export class ImportedDto {
  /**
   * Where it is now, `entity/project`.
   * @example "weavers/loom"
   */
  project: string;

  /** Rows that were written, by the table that they are in: `runs`, `artifact_versions`, `calls`, ... */
  @ApiProperty({ ...ROWS, example: { runs: 2, run_lines: 2000 } })
  imported: Record<string, number>;

  /** Rows that were there already, and stay as they are. */
  @ApiProperty({ ...ROWS, example: {} })
  already_there: Record<string, number>;

  static from(project: string, { imported, alreadyThere }: Landed): ImportedDto {
    return { project, imported, already_there: alreadyThere };
  }
}
