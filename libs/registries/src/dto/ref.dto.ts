import { refOf, type VersionRow, VersionDto } from '@heddle/artifacts';
import { IsString, MaxLength } from 'class-validator';

export class RefQuery {
  /**
   * `entity/project/collection:version`, with or without `wandb-artifact:///`; a registry's name may stand for the project's.
   * The version is `vN`, an alias, a digest or an id; without one, `latest` is meant.
   * @example "wandb-artifact:///weavers/loom/chat-model:production"
   */
  @IsString()
  @MaxLength(1000)
  ref: string;
}

/** A version as the project or the registry has it that the ref names. */
export class ResolvedVersionDto extends VersionDto {
  /**
   * Where the version was made: its own `ref`, unless it is a registry's.
   * @example "weavers/loom/chat-model:v0"
   */
  source: string;

  /** @param ref the version's own, in the collection where it was found */
  static resolved(row: VersionRow, ref: string): ResolvedVersionDto {
    return { ...VersionDto.from(row), ref, source: refOf(row)! };
  }
}
