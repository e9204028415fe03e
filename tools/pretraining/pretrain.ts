// Makes the base model that ships. It is deterministic: the same arguments give the same weights at any number of threads.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FullTrainer } from './full-trainer.js';
import { writeModel } from '../../libs/engine/src/files/model-directory.js';
import { heldOutLoss, pretrain, type PretrainingPlan, SHUTTLE, type StepReport } from './pretraining-run.js';

const USAGE = `npm run pretrain -- --out=<new directory> [--steps=6000] [--threads=2] [--seed=1] [--batch=64] [--rate=3e-3]
    [--whole=0.03] [--save-every=<steps>] [--measure=<chats per skill>] [--from=<directory with tokenizer and chat template>]`;

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    from: { type: 'string', default: 'libs/engine/base-models/shuttle' },
    steps: { type: 'string', default: '6000' },
    threads: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    batch: { type: 'string', default: '64' },
    rate: { type: 'string', default: '3e-3' },
    whole: { type: 'string', default: '0.03' },
    'save-every': { type: 'string', default: '0' },
    measure: { type: 'string', default: '60' },
  },
});

const number = (name: 'steps' | 'threads' | 'seed' | 'batch' | 'rate' | 'whole' | 'save-every' | 'measure'): number => {
  const value = Number(values[name]);
  if (!Number.isFinite(value) || value < 0)
    throw new Error(`--${name} must be a number, not "${values[name]}".\n${USAGE}`);
  return value;
};

const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  if (!values.out) throw new Error(USAGE);
  const plan: PretrainingPlan = {
    seed: number('seed'),
    steps: number('steps'),
    batch: number('batch'),
    learningRate: number('rate'),
    wholeTexts: number('whole'),
  };
  const trainer = FullTrainer.create(SHUTTLE, {
    threads: number('threads'),
    seed: plan.seed,
    beta1: 0.9,
    beta2: 0.98,
    weightDecay: 0.05,
    clip: 1,
  });
  try {
    say(`plan ${JSON.stringify(plan)}`);
    const saveEvery = number('save-every');
    const log = logger(plan.steps);
    for await (const report of pretrain(trainer, plan)) {
      log(report);
      const done = report.step + 1;
      if (saveEvery > 0 && done % saveEvery === 0 && done < plan.steps)
        await save(trainer, `${values.out}-step${done}`);
    }
    await save(trainer, values.out);
    const loss = await heldOutLoss(trainer, plan.seed, number('measure'));
    say(`held-out cross-entropy ${loss.mix.toFixed(4)} nats a token of the answers`);
    for (const { skill, corpus, heldOut } of loss.skills) {
      say(`  ${skill.padEnd(24)} ${corpus.toFixed(3)}  in held-out wordings ${heldOut.toFixed(3)}`);
    }
  } finally {
    await trainer.close();
  }
}

/** A line every fifty steps: mean loss since the line before, and the time that is left. */
function logger(steps: number): (report: StepReport) => void {
  const start = performance.now();
  let losses: number[] = [];
  return ({ step, loss, gradNorm, learningRate, tokens, targets }) => {
    losses.push(loss);
    const done = step + 1;
    if (done % 50 !== 0 && done !== steps) return;
    const seconds = (performance.now() - start) / 1000;
    const mean = losses.reduce((sum, one) => sum + one, 0) / losses.length;
    losses = [];
    say(
      `step ${done}/${steps} loss ${mean.toFixed(4)} norm ${gradNorm.toFixed(2)} rate ${learningRate.toExponential(2)} ` +
        `tokens ${(tokens / 1e6).toFixed(2)}M targets ${(targets / 1e6).toFixed(2)}M ${(tokens / seconds).toFixed(0)} tokens/s ` +
        `${(seconds / 60).toFixed(1)} min, ${(((seconds / done) * (steps - done)) / 60).toFixed(1)} min left`,
    );
  };
}

async function save(trainer: FullTrainer, directory: string): Promise<void> {
  const names = ['tokenizer.json', 'tokenizer_config.json', 'chat_template.jinja', 'README.md'];
  const files: Record<string, Uint8Array> = {};
  for (const name of names) files[name] = await readFile(join(values.from, name));
  const tensors = new Map([...trainer.tensors()].map(({ name, data }) => [name, Float32Array.from(data)]));
  await writeModel(directory, SHUTTLE, tensors, { dtype: 'F16', files });
  say(`wrote ${directory}`);
}

await main();
