import type { DemoScore, SkillScore } from './evaluation.js';
import type { HeldOutLoss } from './pretraining-run.js';

/** Rows of the model card: cross-entropy and right answers of every skill, in the corpus's wordings and in held-out ones. */
export function skillTable(loss: HeldOutLoss, corpus: readonly SkillScore[], heldOut: readonly SkillScore[]): string {
  const right = (scores: readonly SkillScore[], skill: string): string => {
    const score = scores.find((one) => one.skill === skill);
    return score ? percent(score.right / score.asked) : '';
  };
  return [
    '| Skill | Cross-entropy | in held-out wordings | Right | in held-out wordings |',
    '|---|---|---|---|---|',
    ...loss.skills.map(
      ({ skill, corpus: seen, heldOut: unseen }) =>
        `| ${skill} | ${seen.toFixed(3)} | ${unseen.toFixed(3)} | ${right(corpus, skill)} | ${right(heldOut, skill)} |`,
    ),
    `| all | | | ${percent(share(corpus))} | ${percent(share(heldOut))} |`,
  ].join('\n');
}

/** The demonstration before any training, in one line. */
export function demoLine({ reward, shares }: DemoScore): string {
  const words = ['yes', 'no', 'maybe'];
  const known = words.map((word) => `${word} ${percent(shares[word] ?? 0)}`);
  const other = 1 - words.reduce((sum, word) => sum + (shares[word] ?? 0), 0);
  return `${reward.toFixed(3)} mean reward; ${known.join(', ')}, other ${percent(other)}`;
}

function share(scores: readonly SkillScore[]): number {
  const sum = (of: (score: SkillScore) => number) => scores.reduce((total, score) => total + of(score), 0);
  return sum(({ right }) => right) / sum(({ asked }) => asked);
}

const percent = (part: number): string => `${Math.round(part * 100)} %`;
