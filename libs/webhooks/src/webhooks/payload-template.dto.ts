import { ApiProperty } from '@nestjs/swagger';
import type { PayloadTemplate } from '../templates/payload-templates.js';

export class PayloadTemplateDto {
  /** @example "slack" */
  id: string;

  /** @example "Slack" */
  receiver: string;

  /**
   * What the webhook needs: where its address is found, and whether it needs an access token.
   * @example "The address of an incoming webhook of your Slack app. It needs no access token."
   */
  setup: string;

  /** Of the receiver's people. */
  documentation: string;

  /** For `action.request_payload` of an automation. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  payload: Record<string, unknown>;

  static from({ name, receiver, setup, documentation, payload }: PayloadTemplate): PayloadTemplateDto {
    return { id: name, receiver, setup, documentation, payload };
  }
}
