import type { TrainingJobKind } from '@heddle/database';
import { RL_SETTINGS, type SettingProblem, SFT_SETTINGS } from '@heddle/engine';
import { type ValidationDetail, ValidationError } from '@heddle/http';

type Fields = Record<string, unknown>;

/** Of a released client's keys, those that change nothing about what is learnt, or that others read: no word about them. */
const HARMLESS = { rl: ['plot_tensors', 'logprob_calculation_chunk_size'], sft: ['metric_logging'] };

/** @throws ValidationError that names each bad field of `experimental_config` */
export function readRlSettings(value: unknown, loc: string[]): Fields {
  const given = read(RL_SETTINGS, value, loc);
  if (!('kl_penalty_reference_step' in given && 'kl_penalty_step_lag' in given)) return given;
  const msg = 'must be left out where kl_penalty_reference_step is set: only one of them says what is compared with';
  throw ValidationError.at([...loc, 'kl_penalty_step_lag'], msg, 'config_value', given['kl_penalty_step_lag']);
}

/** @throws ValidationError that names each bad field of `config` */
export const readSftSettings = (value: unknown, loc: string[]): Fields => read(SFT_SETTINGS, value, loc);

/** What the user asked of a job and no engine knows anything of. */
export const ignoredKeys = (given: Fields, kind: TrainingJobKind = 'rl'): string[] =>
  (kind === 'rl' ? RL_SETTINGS : SFT_SETTINGS).unknownKeys(given).filter((key) => !HARMLESS[kind].includes(key));

/** All that was sent, without the nulls: clients write one for whatever their user left unset. Unknown keys are kept. */
function read(settings: typeof RL_SETTINGS | typeof SFT_SETTINGS, value: unknown, loc: string[]): Fields {
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw ValidationError.at(loc, 'must be an object', 'object_type');
  const given = Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null && field !== undefined));
  const problems = settings.problems(given);
  if (problems.length > 0) throw new ValidationError(problems.map((problem) => detailOf(problem, loc)));
  return given;
}

const detailOf = ({ wireName, demand, value }: SettingProblem, loc: string[]): ValidationDetail => ({
  loc: [...loc, wireName],
  msg: `must be ${demand}`,
  type: 'config_value',
  // Only what is small, and what JSON can say.
  input: typeof value === 'object' || value === Infinity || value === -Infinity ? undefined : value,
});
