import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, Min } from 'class-validator';

export class RetrievalQuery {
  /** Whether the events of a response that is made in the background are sent as they come, from the first one on. */
  @ApiPropertyOptional({ type: Boolean, default: false })
  @IsBoolean()
  @Transform(({ value }) => (value === 'true' ? true : value === 'false' ? false : (value as unknown)))
  stream: boolean = false;

  /** Of `stream`: the number of the last event that is known. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Type(() => Number)
  starting_after?: number;

  /** What clients say of events here too: nothing is left out, and nothing is obfuscated. */
  @IsOptional()
  include_obfuscation?: string;

  @IsOptional()
  include?: string | string[];

  @IsOptional()
  'include[]'?: string | string[];
}
