import { Injectable } from '@nestjs/common';
import type { TrajectoryGroup } from '@heddle/engine';
import type { TrainedModel } from './exchanges/trained-model.js';
import { linesOf, toElements, toGroup, toLines } from './group-lines.js';
import type { StoredTrajectories, TrajectoryBody } from './trajectory-body.js';
import { readTrajectoryBody } from './trajectory-body.reader.js';
import { type Compression, TrajectoryFilesService } from './trajectory-files.service.js';

/** In MiB: each sampled token is about 100 bytes of JSON. */
export const TRAJECTORY_BODY_LIMIT = 256;

/**
 * Bodies with `trajectory_groups`: up to 256 MiB of JSON (`@RawBody({ mebibytes: TRAJECTORY_BODY_LIMIT })`), which are
 * checked and stored without holding up other requests.
 *
 *     const body = await bodies.read(bytes);
 *     const modelId = body.root.get('model_id')?.string();
 *     const stored = await bodies.store(body, 'none');
 */
@Injectable()
export class TrajectoryBodiesService {
  constructor(private readonly files: TrajectoryFilesService) {}

  /** @throws ValidationError that names each place */
  read(bytes: Buffer): Promise<TrajectoryBody> {
    return readTrajectoryBody(bytes);
  }

  /**
   * Puts the groups, as they were sent, into a file of their own. A row must name it within a day (`training_jobs.data`,
   * `trajectory_logs.path`), or else it is pruned; {@link remove} it if the row can't be written.
   */
  async store({ groups, statistics }: TrajectoryBody, compression: Compression): Promise<StoredTrajectories> {
    return { ...(await this.files.write(toLines(groups), compression)), statistics };
  }

  /** The stored groups, one by one, as the engine trains a model on them. @throws TrajectoriesMissingError */
  async *groups(path: string, model: TrainedModel): AsyncGenerator<TrajectoryGroup, void> {
    for await (const line of linesOf(this.files.read(path))) yield toGroup(line, model);
  }

  /** The stored groups, as they were sent, as the elements of a JSON array without its brackets. */
  text(path: string): AsyncGenerator<Buffer, void> {
    return toElements(this.files.read(path));
  }

  async remove(paths: Iterable<string>): Promise<void> {
    await this.files.remove(paths);
  }
}
