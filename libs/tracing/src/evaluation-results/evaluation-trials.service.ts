import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { EvaluationCallsService, text } from '../evaluation-runs/evaluation-calls.service.js';
import { isPredictAndScore } from '../evaluation-runs/predictions.service.js';
import { type Trial, trialOf } from './evaluation-trial.js';

/** Of one answer: all are in memory until it is sorted. */
const MAX_TRIALS = 50_000;
const MAX_BYTES = 256 * 1024 * 1024;
/** Trials whose calls are asked for in one go. */
const BATCH = 1000;

const TIMES = ['started_at', 'ended_at'];
const OF_ROWS = ['id', 'parent_id', 'op_name', 'attributes', 'inputs', 'output', 'summary', ...TIMES];
/** What models and scorers answered stands in their trial. */
const OF_CHILDREN = OF_ROWS.filter((name) => name !== 'output');
const OF_ROOTS = ['id', 'inputs', 'display_name', 'trace_id', 'started_at'];

/** Trials of evaluations, out of their calls. */
@Injectable()
export class EvaluationTrialsService {
  constructor(private readonly calls: EvaluationCallsService) {}

  /** The oldest first. @throws ValidationError for more than fit into memory */
  async find(
    caller: Principal,
    projectId: string,
    evaluations: string[],
    { children, costs }: { children: boolean; costs: boolean },
    signal: AbortSignal,
  ): Promise<Trial[]> {
    const room = { bytes: MAX_BYTES, trials: MAX_TRIALS };
    const query = { filter: { parent_ids: evaluations }, columns: OF_ROWS };
    const rows: JsonNode[] = [];
    for await (const call of this.calls.stream(caller, projectId, query, signal)) {
      if (!isPredictAndScore(call) || evaluations.includes(text(call, 'id') ?? '')) continue;
      take(room, call, 1);
      rows.push(call);
    }
    const below = new Map<string, JsonNode[]>();
    for (let first = 0; children && first < rows.length; first += BATCH) {
      const parent_ids = rows.slice(first, first + BATCH).map((call) => text(call, 'id') ?? '');
      const asked = { filter: { parent_ids }, columns: OF_CHILDREN, include_costs: costs };
      for await (const call of this.calls.stream(caller, projectId, asked, signal)) {
        take(room, call, 0);
        const parent = text(call, 'parent_id') ?? '';
        below.set(parent, [...(below.get(parent) ?? []), call]);
      }
    }
    return rows.map((call) => trialOf(call, below.get(text(call, 'id') ?? '') ?? []));
  }

  /** The evaluations' own calls. */
  roots(caller: Principal, projectId: string, evaluations: string[], signal: AbortSignal): Promise<JsonNode[]> {
    const query = { filter: { call_ids: evaluations }, columns: OF_ROOTS };
    return this.calls.find(caller, projectId, query, signal);
  }
}

function take(room: { bytes: number; trials: number }, call: JsonNode, trials: number): void {
  room.bytes -= call.byteLength;
  room.trials -= trials;
  if (room.bytes >= 0 && room.trials >= 0) return;
  const msg = `more than ${MAX_TRIALS} trials, or ${MAX_BYTES} bytes of them: ask for fewer evaluations`;
  throw ValidationError.at(['body', 'evaluation_call_ids'], msg, 'too_large');
}
