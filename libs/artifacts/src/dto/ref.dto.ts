import { IsString, MaxLength } from 'class-validator';

export class RefQuery {
  /**
   * `entity/project/collection:version`, with or without `wandb-artifact:///`. The version is `vN`, an alias, a digest or
   * an id; without one, `latest` is meant.
   * @example "wandb-artifact:///weavers/loom/chat-model:production"
   */
  @IsString()
  @MaxLength(1000)
  ref: string;
}
