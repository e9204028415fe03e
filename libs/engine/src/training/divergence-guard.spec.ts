import fc from 'fast-check';
import { DivergenceGuard, type StepHealth } from './divergence-guard.js';

const healthy: StepHealth = {
  learningRate: 10,
  loss: 2,
  gradNorm: 3,
  maxAbsLogprob: 9,
  klDivergence: 0.01,
  adapterToBase: 0.1,
};

/** What the guard says at the second step, the first having been healthy. */
function second(step: Partial<StepHealth>): string | null {
  const guard = new DivergenceGuard();
  expect(guard.check(healthy)).toBeNull();
  return guard.check({ ...healthy, ...step });
}

describe('DivergenceGuard', () => {
  it.each<[Partial<StepHealth>, string]>([
    [{ loss: NaN }, 'the loss is not finite any more'],
    [{ gradNorm: Infinity }, 'the gradient is not finite any more'],
    [{ maxAbsLogprob: NaN }, 'a log probability is not finite any more'],
    [{ adapterToBase: NaN }, 'the weights of the adapter are not finite any more'],
    [{ adapterToBase: 219 }, 'the adapter outweighs the base model 219 times'],
    [{ gradNorm: 3e14 }, 'the norm of the gradient is 3.0e+14'],
    [{ klDivergence: 31 }, 'the policy has moved 31 nats a token from where it was sampled'],
  ])('stops at %j', (step, symptom) => {
    expect(second(step)).toBe(
      `learning_rate 10 is too high: at gradient step 2 ${symptom}. The weights of this job were not kept.`,
    );
  });

  it('stops a job of a single step', () => {
    expect(new DivergenceGuard().check({ ...healthy, adapterToBase: 65 })).toContain(
      'outweighs the base model 65 times',
    );
  });

  it('does not blame the learning rate for weights that were broken before', () => {
    expect(new DivergenceGuard().check({ ...healthy, loss: NaN })).toBe(
      "Training can't start: the loss is not finite with the weights that it starts from.",
    );
  });

  it('measures divergence from the first step, since samples may come from another policy', () => {
    const guard = new DivergenceGuard();
    expect(guard.check({ ...healthy, klDivergence: 900 })).toBeNull();
    expect(guard.check({ ...healthy, klDivergence: 915 })).toBeNull();
    expect(guard.check({ ...healthy, klDivergence: 925 })).toContain('25 nats');
  });

  it('lets hard jobs be: data of any difficulty, clipping at each step, a policy that becomes certain', () => {
    const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    const step = fc.record({
      learningRate: between(0, 1),
      loss: between(-100, 100),
      gradNorm: between(0, 1e9),
      maxAbsLogprob: between(0, 1e4),
      klDivergence: between(-2, 17),
      adapterToBase: between(0, 2),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const guard = new DivergenceGuard();
        expect(steps.map((health) => guard.check(health)).filter((reason) => reason !== null)).toEqual([]);
      }),
    );
  });
});
