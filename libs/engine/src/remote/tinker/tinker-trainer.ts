import { writeWholeDirectory } from '../../files/durable-write.js';
import { type RlBranch, rlLoss } from '../../training/rl-loss.js';
import type { SequenceTree } from '../../training/sequence-tree.js';
import { sftLoss } from '../../training/sft-loss.js';
import type { KeepingTrainer, LossResults, LossTask, RowGradient, StepOptions } from '../../training/trainer.js';
import { countedOf, type Datum, dataOf, gradientInputs, lossInputs, scoringInputs } from './datum.js';
import { type RemoteAdapter, writeRemoteAdapter } from './remote-adapter.js';
import { serverLoss } from './server-loss.js';
import type { TinkerModel } from './tinker-model.js';
import type { ServerTraits } from './tinker-service.js';
import type { TinkerSession } from './tinker-session.js';

/** Where a remote adapter's state is kept. */
export type RemoteState = Pick<RemoteAdapter, 'weights'>;

/**
 * An adapter that learns on a server of the Tinker protocol. The loss is computed here, by the code that the embedded
 * engine uses: a forward pass gives log probabilities, the loss says how each should move, and a backward pass does that.
 * Where the server's own loss is the same, one pass does both.
 */
export class TinkerTrainer implements KeepingTrainer<RemoteState> {
  constructor(
    private readonly session: TinkerSession,
    private readonly model: TinkerModel,
    /** What a KL penalty compares with. */
    private readonly reference: TinkerModel | null,
    private readonly traits: ServerTraits,
    private readonly options: StepOptions & { rank: number },
  ) {}

  async gradient<L extends LossTask>(row: SequenceTree[], loss: L): Promise<RowGradient<L['type']>> {
    const data = dataOf(row);
    const { normalization, clippedLosses } = this.traits;
    const own = loss.type === 'rl' ? serverLoss(row as SequenceTree<RlBranch>[], loss, clippedLosses) : null;
    const logprobs = own
      ? await this.model.pass(data, lossInputs(data, own, normalization), own.name)
      : await this.forward(this.model, data);
    const { gradient, sums } = this.loss(row, countedOf(data, logprobs), loss);
    if (!own) {
      const inputs = gradientInputs(data, logprobs, gradient, normalization);
      await this.model.pass(data, inputs, 'importance_sampling');
    }
    return { parts: [{ sums }] as LossResults[L['type']][], norm: null };
  }

  learn(learningRate: number): Promise<void> {
    const { settings, maxGradientNorm } = this.options;
    return this.model.step({ settings, maxGradientNorm, learningRate });
  }

  async score(row: SequenceTree[], under: 'adapter' | 'reference'): Promise<Float32Array> {
    const data = dataOf(row);
    const scored = under === 'adapter' ? this.model : this.reference!;
    return countedOf(data, await this.forward(scored, data));
  }

  outweighs(): null {
    return null;
  }

  async save(directory: string): Promise<void> {
    const weights = await this.model.save(this.session.name('kept'));
    const { rank } = this.options;
    const adapter = { service: this.session.service.host, weights, sampler: null, rank };
    await writeWholeDirectory(directory, (partial) => writeRemoteAdapter(partial, adapter));
  }

  restore({ weights }: RemoteState): Promise<void> {
    return this.model.load(weights);
  }

  private forward(model: TinkerModel, data: readonly Datum[]): Promise<Float32Array[]> {
    return model.pass(data, scoringInputs(data), null);
  }

  private loss(row: SequenceTree[], logprobs: Float32Array, loss: LossTask) {
    if (loss.type === 'sft') return sftLoss({ logprobs }, loss.normalizer);
    // Nobody tells the entropies.
    const scores = { logprobs, entropies: new Float32Array(logprobs.length).fill(NaN) };
    return rlLoss(row as SequenceTree<RlBranch>[], scores, loss.config, loss.normalizer);
  }
}
