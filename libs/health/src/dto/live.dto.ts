import { ApiProperty } from '@nestjs/swagger';

export class LiveDto {
  @ApiProperty({ enum: ['ok'] })
  status: string;
}
