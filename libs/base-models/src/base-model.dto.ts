import type { BaseModelInfo } from '@heddle/engine';
import { ApiProperty } from '@nestjs/swagger';

export class BaseModelDto {
  /**
   * For `base_model`, where a model is registered.
   * @example "heddle/shuttle-1m"
   */
  id: string;

  /**
   * Tokens that prompt and completion may have together.
   * @example 1024
   */
  @ApiProperty({ type: 'integer' })
  context_length: number;

  /** What trains and samples it. */
  engine: 'embedded';

  /**
   * How many parameters it has.
   * @example 1313408
   */
  @ApiProperty({ type: 'integer' })
  size: number;

  /** @example 264 */
  @ApiProperty({ type: 'integer' })
  vocabulary_size: number;

  static from(model: BaseModelInfo): BaseModelDto {
    return {
      id: model.id,
      context_length: model.contextLength,
      engine: 'embedded',
      size: model.parameters,
      vocabulary_size: model.vocabularySize,
    };
  }
}
