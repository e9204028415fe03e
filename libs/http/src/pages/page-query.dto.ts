import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

/** The query of every list: `after`, `limit`, `order`. */
export class PageQuery {
  /**
   * Id of the last item of the page before; without it, the list begins at its first item.
   * @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11"
   */
  @IsOptional()
  @IsString()
  @MaxLength(300)
  after?: string;

  /** Items of a page, 1 to 100. */
  @ApiPropertyOptional({ type: 'integer' })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;

  /** By creation: oldest first (`asc`) or newest first (`desc`). */
  @ApiPropertyOptional()
  @IsIn(['asc', 'desc'])
  order: 'asc' | 'desc' = 'asc';
}
