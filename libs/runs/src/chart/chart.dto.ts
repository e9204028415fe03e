import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsInt, IsNumber, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { MAX_PANELS } from './chart-layout.js';

export class ChartQuery {
  /**
   * Up to 8 metrics, one panel each, from top to bottom; may be repeated, or several with commas between. Default: rewards
   * and losses.
   */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => [value].flat())
  @IsString({ each: true })
  @MaxLength(1000, { each: true })
  @Matches(/^[^\p{Cc}\p{Cs}]*$/u, { each: true, message: '$property must be printable characters' })
  @ArrayMaxSize(MAX_PANELS)
  @ApiProperty({ type: [String], required: false, example: ['train/reward', 'train/loss'] })
  metric?: string[];

  /** Pixels, 240 to 2,000. */
  @ApiPropertyOptional({ type: 'integer' })
  @Type(() => Number)
  @IsInt()
  @Min(240)
  @Max(2000)
  width: number = 720;

  /**
   * Pixels of the whole picture, 140 to 2,000; at least 90 a metric and 50 more. Default: 176 a metric and 50 more.
   * @example 560
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(140)
  @Max(2000)
  height?: number;

  /**
   * First step of the picture. Default: the first that has a value.
   * @example 0
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  from_step?: number;

  /**
   * Last step of the picture. Default: the last that has a value.
   * @example 1000
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  to_step?: number;

  /**
   * Weight of what came before in a moving average, 0 to 0.99, drawn over the values themselves.
   * @example 0.6
   */
  @ApiPropertyOptional()
  @Type(() => Number)
  @IsNumber()
  @Min(0)
  @Max(0.99)
  smooth: number = 0;
}
