import { KeptSteps } from '../../jobs/kept-steps.js';
import type { TrainingJob } from '../../jobs/training-job.js';
import { writeWholeDirectory } from '../../files/durable-write.js';
import { EngineError } from '../../protocol/engine.errors.js';
import type { TrainEvent, TrainRequest } from '../../protocol/train.js';
import { unpackAdapter } from './adapter-archive.js';
import { readRemoteAdapter, type RemoteAdapter, writeRemoteAdapter } from './remote-adapter.js';
import type { TinkerModel } from './tinker-model.js';
import type { TinkerService } from './tinker-service.js';
import { TinkerSession } from './tinker-session.js';
import { TinkerTrainer } from './tinker-trainer.js';

/** What a remote training needs beside its request. */
export interface RemoteTraining {
  service: TinkerService;
  /** Name of the base model there. */
  baseModel: string;
  request: TrainRequest;
  job: TrainingJob;
  /** Of a fresh adapter. */
  rank: number;
  keepEveryMs?: number;
}

const NO_CLIPPING = (norm: number): string =>
  `The trainer doesn't clip gradients: they are not held to a norm of ${norm}.`;

/** Trains one adapter on a server, and brings it here when it is done. @throws EngineError */
export async function* tinkerTraining(
  { service, baseModel, request, job, rank, keepEveryMs }: RemoteTraining,
  signal?: AbortSignal,
): AsyncGenerator<TrainEvent> {
  const from = request.from === null ? null : await readRemoteAdapter(request.from, service.host);
  const traits = await service.traits(signal);
  const read = (directory: string): Promise<RemoteAdapter> => readRemoteAdapter(directory, service.host);
  const kept = await KeptSteps.open(request.state, read, keepEveryMs);
  const session = await TinkerSession.open(service, baseModel, signal);
  try {
    const model = await session.createModel(from?.rank ?? rank, request.seed);
    if (from) await model.load(from.weights);
    const reference = needsReference(request) ? await openReference(session, request, rank) : null;
    const options = { ...job.options, rank: from?.rank ?? rank };
    const trainer = new TinkerTrainer(session, model, reference, traits, options);
    const { started } = job;
    const warnings = traits.clips ? [] : [NO_CLIPPING(job.options.maxGradientNorm)];
    yield started.type === 'started' ? { ...started, warnings: [...started.warnings, ...warnings] } : started;
    for await (const event of job.steps(trainer, kept)) {
      if (signal?.aborted) throw new EngineError('cancelled', 'it was cancelled');
      // The adapter is whole before anybody hears that it is.
      if (event.type === 'ended') {
        await fetchAdapter({ session, model, base: request.base, rank: options.rank }, request.to, signal);
      }
      yield event;
    }
  } finally {
    session.close();
  }
}

const needsReference = ({ data }: TrainRequest): boolean =>
  data.kind === 'rl' && (data.config.kl_penalty_coef ?? 0) > 0;

/** The checkpoint that a KL penalty compares with, or the base model: an adapter that has learnt nothing. */
async function openReference(session: TinkerSession, request: TrainRequest, rank: number): Promise<TinkerModel> {
  const directory = request.klReference;
  if (typeof directory !== 'string') return session.createModel(rank, request.seed);
  const { weights, rank: itsRank } = await readRemoteAdapter(directory, session.service.host);
  const model = await session.createModel(itsRank, request.seed);
  await model.load(weights);
  return model;
}

async function fetchAdapter(
  trained: { session: TinkerSession; model: TinkerModel; base: string; rank: number },
  to: string,
  signal?: AbortSignal,
): Promise<void> {
  const { session, model, base, rank } = trained;
  const name = session.name('step');
  const weights = await model.save(name);
  const sampler = await model.saveForSampler(name);
  const id = sampler.slice(sampler.lastIndexOf('/') + 1);
  const { service } = session;
  await writeWholeDirectory(to, async (partial) => {
    const path = `training_runs/${model.id}/checkpoints/${id}/archive`;
    await service.download(path, (archive) => unpackAdapter(archive, partial, base), signal);
    await writeRemoteAdapter(partial, { service: service.host, weights, sampler, rank });
  });
}
