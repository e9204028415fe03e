import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ModelAccessService } from '@heddle/models';
import type { JobWithWarnings } from '../training-job.dto.js';
import { TrajectoriesNotKeptError } from '../../training.errors.js';
import { TrajectoryBodiesService } from '../../trajectories/trajectory-bodies.service.js';
import { readRequestKey } from '../request-key.js';
import { KlReferencesService } from './kl-references.service.js';
import { readRlRequest } from './rl-request.js';
import { TrainingJobsService } from '../training-jobs.service.js';

/** Small ones, which are most, lie as they are: they are read in a moment. Of large ones the disk holds a fifth. */
const COMPRESSED_FROM_BYTES = 16 * 1024 * 1024;

/** Reinforcement-learning jobs and their trajectories. */
@Injectable()
export class RlJobsService {
  constructor(
    private readonly models: ModelAccessService,
    private readonly bodies: TrajectoryBodiesService,
    private readonly references: KlReferencesService,
    private readonly jobs: TrainingJobsService,
  ) {}

  /**
   * @param bytes of the request's body, `{model_id, trajectory_groups, experimental_config?, client_job_id?}`
   * @param key the header `Idempotency-Key`
   */
  async create(caller: Principal, bytes: Buffer, key?: string): Promise<JobWithWarnings> {
    const body = await this.bodies.read(bytes);
    const { modelId, config, clientJobId } = readRlRequest(body.root);
    const requestKey = readRequestKey(key, clientJobId, ['body', 'client_job_id']);
    const { model } = await this.models.find(caller, modelId, 'member');
    const compression = bytes.length < COMPRESSED_FROM_BYTES ? 'none' : 'gzip';
    const { path } = await this.bodies.store(body, compression);
    try {
      const job = { modelId: model.id, kind: 'rl' as const, config, requestKey };
      const added = await this.jobs.add(caller, job, async (manager) => {
        await this.references.requireThere(manager, model.id, config);
        return path;
      });
      if (added.job.data !== path) await this.bodies.remove([path]);
      return added;
    } catch (error) {
      await this.bodies.remove([path]);
      throw error;
    }
  }

  /** `{"trajectory_groups": [...]}`, the groups as they were sent. What is missing is an error before the first piece. */
  async trajectories(caller: Principal, id: string): Promise<AsyncGenerator<Buffer>> {
    const job = await this.jobs.find(caller, id);
    if (job.kind !== 'rl') throw new TrajectoriesNotKeptError(id);
    const groups = this.bodies.text(job.data);
    return inObject(await groups.next(), groups);
  }
}

async function* inObject(first: IteratorResult<Buffer, void>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield Buffer.from('{"trajectory_groups":[');
    if (!first.done) yield first.value;
    yield* rest;
    yield Buffer.from(']}');
  } finally {
    // Also where nobody reads to the end.
    await rest.return(undefined);
  }
}
