import { SFT_SETTINGS } from '@heddle/engine';
import { IsJsonObject } from '@heddle/http';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';

const EXAMPLE = { batch_size: 2, learning_rate: 0.0001, assistant_turns: 'all' };
const SETTINGS = { ...SFT_SETTINGS.schema } as object as ApiPropertyOptions;
/** A query is text: the settings' schemas are of what it says. */
const asText = (name: keyof typeof SFT_SETTINGS.schema.properties, example: string): ApiPropertyOptions => {
  const { description, default: usual } = SFT_SETTINGS.schema.properties[name];
  return { type: 'string', description, default: String(usual), example };
};

export class CreateSftJobDto {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  @IsUUID()
  model_id: string;

  /**
   * An artifact that holds `train.jsonl`, or one `.jsonl` file alone: one `{"messages": [...], "tools"?: [...]}` a line, the
   * last message from the assistant.
   * @example "wandb-artifact:///weavers/loom/facts:v0"
   */
  @IsString()
  @MaxLength(1000)
  training_data_url: string;

  @IsOptional()
  @IsJsonObject(EXAMPLE)
  @ApiPropertyOptional(SETTINGS)
  config?: Record<string, unknown> | null;

  /** As `config`, which goes before it. */
  @IsOptional()
  @IsJsonObject(EXAMPLE)
  experimental_config?: Record<string, unknown> | null;

  /**
   * As the header `Idempotency-Key`, for clients that set no headers.
   * @example "facts-3"
   */
  @IsOptional()
  @IsString()
  @MaxLength(255)
  client_job_id?: string | null;
}

const numberOrText = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? toNumber(value) : value;
const toNumber = (text: string): number | string => (Number.isNaN(Number(text)) ? text : Number(text));

/** What a query says of a fine-tuning job whose body is its data. */
export class UploadSftJobQuery {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  @IsUUID()
  model_id: string;

  @IsOptional()
  @ApiPropertyOptional(asText('batch_size', '4'))
  @Transform(({ value }: { value: unknown }) => numberOrText(value))
  batch_size?: string;

  @IsOptional()
  @ApiPropertyOptional(asText('learning_rate', '0.0001'))
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(numberOrText) : numberOrText(value)))
  learning_rate?: string;

  @IsOptional()
  @ApiPropertyOptional(asText('assistant_turns', 'last'))
  @IsString()
  assistant_turns?: string;

  /**
   * As the header `Idempotency-Key`, for clients that set no headers.
   * @example "facts-3"
   */
  @IsOptional()
  @IsString()
  @MaxLength(255)
  client_job_id?: string;
}
