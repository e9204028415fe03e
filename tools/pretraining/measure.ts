// Prints what the model card says: npm run pretrain:measure [-- DIRECTORY]
import { EmbeddedEngine } from '../../libs/engine/src/embedded/embedded-engine.js';
import { FullTrainer } from './full-trainer.js';
import { openModel } from '../../libs/engine/src/files/model-directory.js';
import { generateWith, scoreDemo, scoreSkills } from './evaluation.js';
import { demoLine, skillTable } from './figures.js';
import { heldOutChats } from './held-out.js';
import { heldOutLoss } from './pretraining-run.js';

const SEED = 1;
const CHATS_PER_SKILL = 60;
const ROLLOUTS = 16;
const ID = 'measured';

async function main(directory: string): Promise<void> {
  const { config, weights } = await openModel(directory);
  const options = { threads: 2, seed: 0, beta1: 0.9, beta2: 0.98, weightDecay: 0, clip: 1 };
  const trainer = await FullTrainer.load(config, weights, options);
  const loss = await heldOutLoss(trainer, SEED, CHATS_PER_SKILL);
  await trainer.close();
  weights.close();
  const engine = await EmbeddedEngine.create({
    models: [{ id: ID, directory }],
    threads: 2,
    cacheBytes: 128 * 1024 ** 2,
    adapters: 1,
    memoryBytes: 1024 ** 3,
  });
  const greedy = generateWith(engine, ID, 0);
  const corpus = await scoreSkills(greedy, heldOutChats(SEED, CHATS_PER_SKILL, 'corpus'));
  const heldOut = await scoreSkills(greedy, heldOutChats(SEED, CHATS_PER_SKILL, 'heldOut'));
  const demo = await scoreDemo(generateWith(engine, ID, 1), ROLLOUTS);
  await engine.close();
  process.stdout.write(`cross-entropy ${loss.mix.toFixed(4)} nats a token\n${demoLine(demo)}\n`);
  process.stdout.write(`${skillTable(loss, corpus, heldOut)}\n`);
}

const [directory = 'libs/engine/base-models/shuttle'] = process.argv.slice(2);
await main(directory);
