import { ApiProperty } from '@nestjs/swagger';

export class ServerStatusDto {
  @ApiProperty({ enum: ['ok'] })
  status: 'ok';
}

export class ServerInfoDto {
  /** The Python SDK switches itself off if it is older. */
  @ApiProperty()
  min_required_weave_python_version: string = '0.0.1';

  /** Version of the wire contract, which newer SDKs compare with what they need. */
  @ApiProperty()
  trace_server_version: string = '1.0.0';
}
