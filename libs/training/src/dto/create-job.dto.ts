import { IsJsonObject } from '@heddle/http';
import { Transform } from 'class-transformer';
import { IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';

const EXAMPLE = { batch_size: 2, learning_rate: 0.0001, assistant_turns: 'all' };

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

  /** `batch_size` (`auto` is 2), `learning_rate` (one, or one for each batch), `assistant_turns` (`all` or `last`). */
  @IsOptional()
  @IsJsonObject(EXAMPLE)
  config?: Record<string, unknown> | null;

  /** As `config`, which goes before it. */
  @IsOptional()
  @IsJsonObject(EXAMPLE)
  experimental_config?: Record<string, unknown> | null;
}

const numberOrText = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? toNumber(value) : value;
const toNumber = (text: string): number | string => (Number.isNaN(Number(text)) ? text : Number(text));

/** What a query says of a fine-tuning job whose body is its data. */
export class UploadSftJobQuery {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  @IsUUID()
  model_id: string;

  /**
   * Examples in one gradient step: a number, or `auto`, which is 2.
   * @example "4"
   */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => numberOrText(value))
  batch_size?: string;

  /**
   * One, or one for each batch: repeat it.
   * @example "0.0001"
   */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(numberOrText) : numberOrText(value)))
  learning_rate?: string;

  /** Which of the assistant's messages are learnt: `all` (the default) or `last`. */
  @IsOptional()
  @IsString()
  assistant_turns?: string;
}
