import { type Run, RUN_STATES, type RunState } from '@heddle/database';
import { IsJsonObject, IsLine, IsSegment, MayBeAbsent, PageQuery } from '@heddle/http';
import { parseExact } from '@heddle/json';
import { MAX_NAME_LENGTH } from '@heddle/projects';
import { IsIn, IsOptional } from 'class-validator';
import { readLenient } from '../stream/lenient-json.js';

const CONFIG_EXAMPLE = { learning_rate: 0.0001, base_model: 'tiny-chat' };

export class RunDto {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  id: string;

  /**
   * Unique in the project.
   * @example "a1b2c3d4e5"
   */
  name: string;

  /** @example "warp speed, second try" */
  display_name: string;

  state: RunState;

  /** Username of the creator. */
  created_by: string;

  /** @example {"learning_rate": 0.0001, "base_model": "tiny-chat"} */
  config: Record<string, unknown>;

  /**
   * What the run came to, as its client says: by name, the last value or what else it chose.
   * @example {"loss": 0.42}
   */
  summary: Record<string, unknown>;

  /** @example "A second try with a smaller rate." */
  notes: string | null;

  /** @example ["baseline"] */
  tags: string[];

  /** @example "ablation" */
  group: string | null;

  /** @example "train" */
  job_type: string | null;

  /** Name of the machine. */
  host: string | null;

  /** When its client was last heard of; null where none says that it lives. */
  heartbeat_at: Date | null;

  /**
   * Greatest step with a metric; null before the first.
   * @example 41
   */
  last_step: number | null;

  created_at: Date;

  /** When the run reached its present state. */
  state_changed_at: Date;

  static from(run: Run): RunDto {
    return {
      id: run.id,
      name: run.name,
      display_name: run.displayName,
      state: run.state,
      created_by: run.createdBy,
      config: parseExact(run.config) as Record<string, unknown>,
      summary: readLenient(run.summary, parseExact) as Record<string, unknown>,
      notes: run.notes,
      tags: run.tags,
      group: run.group,
      job_type: run.jobType,
      host: run.host,
      heartbeat_at: run.heartbeatAt,
      last_step: run.lastStep === null ? null : Number(run.lastStep),
      created_at: run.createdAt,
      state_changed_at: run.stateChangedAt,
    };
  }
}

export class RunsPath {
  /** @example "weavers" */
  @IsLine(MAX_NAME_LENGTH)
  entity: string;

  /** @example "loom" */
  @IsLine(MAX_NAME_LENGTH)
  project: string;
}

export class RunPath extends RunsPath {
  /**
   * Name of the run.
   * @example "a1b2c3d4e5"
   */
  @IsLine(MAX_NAME_LENGTH)
  run: string;
}

export class ListRunsQuery extends PageQuery {
  /** Only runs in this state. */
  @IsOptional()
  @IsIn(RUN_STATES)
  state?: RunState;

  /**
   * Only runs with this in their name or display name, in upper or lower case.
   * @example "warp"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  name?: string;
}

export class CreateRunDto {
  /**
   * Unique in the project, without slashes and colons. Default: a random one.
   * @example "a1b2c3d4e5"
   */
  @MayBeAbsent()
  @IsSegment(MAX_NAME_LENGTH)
  name?: string;

  /**
   * Default: the name.
   * @example "warp speed, second try"
   */
  @MayBeAbsent()
  @IsLine(MAX_NAME_LENGTH)
  display_name?: string;

  /** What the run was started with. */
  @MayBeAbsent()
  @IsJsonObject(CONFIG_EXAMPLE)
  config?: Record<string, unknown>;
}

export class UpdateRunDto {
  /** @example "warp speed, third try" */
  @MayBeAbsent()
  @IsLine(MAX_NAME_LENGTH)
  display_name?: string;

  /** Replaces the whole configuration. */
  @MayBeAbsent()
  @IsJsonObject(CONFIG_EXAMPLE)
  config?: Record<string, unknown>;

  /**
   * A finished or failed run may go on: `RUNNING` again.
   * @example "FINISHED"
   */
  @MayBeAbsent()
  @IsIn(RUN_STATES)
  state?: RunState;
}
