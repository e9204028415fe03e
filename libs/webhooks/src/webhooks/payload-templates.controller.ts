import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '@heddle/auth';
import { ApiPage, type Page, pageOf } from '@heddle/http';
import { PAYLOAD_TEMPLATES } from '../templates/payload-templates.js';
import { PayloadTemplateDto } from './payload-template.dto.js';

@Controller('v1/payload-templates')
@Authenticated('bearer')
@ApiTags('webhooks')
export class PayloadTemplatesController {
  /** Lists payloads to start from: for Slack, Discord, Microsoft Teams and GitHub. */
  @Get()
  @ApiPage(PayloadTemplateDto)
  list(): Page<PayloadTemplateDto> {
    return pageOf(PAYLOAD_TEMPLATES.map(PayloadTemplateDto.from), PAYLOAD_TEMPLATES.length);
  }
}
