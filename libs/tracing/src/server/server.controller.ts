import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Public } from '@heddle/auth';
import { ServerInfoDto, ServerStatusDto } from './dto/server-info.dto.js';

/** What official SDKs ask before they have shown a key. */
@Controller()
@Public()
@ApiTags('tracing')
export class ServerController {
  /** Whether the tracing API is there. Shows nothing about its dependencies: see /health/ready. */
  @Get('health')
  @ApiOkResponse({ type: ServerStatusDto })
  health(): ServerStatusDto {
    return { status: 'ok' };
  }

  /** Which SDKs this server works with. */
  @Get('server_info')
  @ApiOkResponse({ type: ServerInfoDto })
  info(): ServerInfoDto {
    return new ServerInfoDto();
  }
}
