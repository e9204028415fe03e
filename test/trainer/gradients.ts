import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrainData } from '@heddle/engine';
import { type AdapterState, adapterReader } from '../../libs/engine/src/embedded/adapter-state.js';
import { readStart } from '../../libs/engine/src/embedded/adapter-start.js';
import { AdapterTrainer } from '../../libs/engine/src/embedded/adapter-trainer.js';
import { describeModel, loadModel } from '../../libs/engine/src/embedded/base-model.js';
import { loadTexts } from '../../libs/engine/src/text/base-texts.js';
import { KeptSteps } from '../../libs/engine/src/jobs/kept-steps.js';
import { rlTraining } from '../../libs/engine/src/jobs/rl-training.js';
import { sftTraining } from '../../libs/engine/src/jobs/sft-training.js';
import type { TrainingJob } from '../../libs/engine/src/jobs/training-job.js';
import { readAdapter } from '../../libs/engine/src/files/adapter-directory.js';
import { openModel } from '../../libs/engine/src/files/model-directory.js';
import { unpackAdapter } from '../../libs/engine/src/remote/tinker/adapter-archive.js';
import { readRemoteAdapter } from '../../libs/engine/src/remote/tinker/remote-adapter.js';
import { TinkerService } from '../../libs/engine/src/remote/tinker/tinker-service.js';
import { TinkerSession } from '../../libs/engine/src/remote/tinker/tinker-session.js';
import { type RemoteState, TinkerTrainer } from '../../libs/engine/src/remote/tinker/tinker-trainer.js';
import { TrainThreads } from '../../libs/engine/src/threads/train-threads.js';
import { BASE, baseDirectory, RANK, trainerUrl } from './trainer.js';

/**
 * With so great an epsilon, and without memory, a step of AdamW is the gradient: rate * g / (|g| + epsilon). What the weights
 * move by shows what it was.
 */
const LINEAR = { settings: { beta1: 0, beta2: 0, epsilon: 1e4, weightDecay: 0 }, maxGradientNorm: Infinity };

/** By how much one step on the data moves the weights of an adapter in the embedded engine. */
export async function embeddedChange(adapter: string, data: TrainData): Promise<Float32Array> {
  const model = await describeModel({ id: BASE, directory: baseDirectory() });
  const base = await loadModel(model);
  const threads = new TrainThreads(base.memory, 2);
  const start = await readStart({ from: adapter, seed: 1 }, model);
  const trainer = AdapterTrainer.open(base, threads, start, LINEAR);
  const job = await jobOf(data);
  for await (const _ of job.steps<AdapterState>(trainer, await KeptSteps.open(undefined, adapterReader(model.config))))
    void _;
  const change = await withFolder(async (folder) => {
    await trainer.save(join(folder, 'adapter'));
    return changeOf(adapter, join(folder, 'adapter'));
  });
  await threads.close();
  return change;
}

/** The same on the server, from the weights that are there. */
export async function remoteChange(adapter: string, data: TrainData): Promise<Float32Array> {
  const service = new TinkerService({ url: trainerUrl(), timeoutMs: 240_000 });
  const session = await TinkerSession.open(service, baseDirectory());
  const { weights } = await readRemoteAdapter(adapter, service.host);
  const model = await session.createModel(RANK, 1);
  await model.load(weights);
  const reference = await session.createModel(RANK, 1);
  const trainer = new TinkerTrainer(session, model, reference, await service.traits(), { ...LINEAR, rank: RANK });
  const job = await jobOf(data);
  const kept = await KeptSteps.open<RemoteState>(undefined, () => Promise.reject(new Error('nothing is kept')));
  for await (const _ of job.steps(trainer, kept)) void _;
  const path = await model.saveForSampler(session.name('gradient'));
  const archive = `training_runs/${model.id}/checkpoints/${path.slice(path.lastIndexOf('/') + 1)}/archive`;
  const change = await withFolder(async (folder) => {
    await service.download(archive, (response) => unpackAdapter(response, folder, BASE));
    return changeOf(adapter, folder);
  });
  session.close();
  return change;
}

async function jobOf(data: TrainData): Promise<TrainingJob> {
  const { config } = await openModel(baseDirectory());
  const texts = await loadTexts(baseDirectory(), config);
  return data.kind === 'rl' ? rlTraining(texts, config, data) : sftTraining(texts, config, data);
}

async function changeOf(from: string, to: string): Promise<Float32Array> {
  const { config } = await openModel(baseDirectory());
  const [before, after] = [await readAdapter(from, config), await readAdapter(to, config)];
  return Float32Array.from(
    [...before.tensors].flatMap(([key, values]) =>
      Array.from(after.tensors.get(key)!, (value, i) => value - values[i]!),
    ),
  );
}

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-gradients-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
