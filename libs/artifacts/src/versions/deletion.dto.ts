import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

export class DeletionQuery {
  /** Deletes also what is in use: checkpoints that are served, trained from or compared with. */
  @IsOptional()
  @IsIn(['true', 'false'])
  @ApiPropertyOptional({ enum: ['true', 'false'], default: 'false' })
  force?: string;
}
