import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

export class InputItemsQuery {
  /** Items that follow the one of this id. */
  @IsOptional()
  @IsString()
  after?: string;

  @IsInt()
  @Min(1)
  @Max(100)
  @Type(() => Number)
  limit: number = 20;

  /** `desc`: the last item first. */
  @IsIn(['asc', 'desc'])
  order: 'asc' | 'desc' = 'desc';
}
