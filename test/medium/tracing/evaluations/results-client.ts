import { QueryClient } from '../query/query-client.js';

interface Trial {
  predict_and_score_call_id: string;
  [field: string]: unknown;
}
export interface Results {
  rows: { row_digest: string; raw_data_row: unknown; evaluations: { evaluation_call_id: string; trials: Trial[] }[] }[];
  total_rows: number;
  summary: { row_count: number; evaluations: Record<string, unknown>[] } | null;
  warnings: string[];
}

export const MODEL = 'weave:///a/b/object/assistant:v0';
const ROW = 'Evaluation.predict_and_score';

/** Makes evaluations in a project, and asks for their results. */
export class ResultsClient extends QueryClient {
  ask(body: object): Promise<Response> {
    return this.post(`/v2/${this.projectId}/eval_results/query`, body);
  }

  async results(body: object): Promise<Results> {
    const response = await this.ask(body);
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as Results;
  }

  /** Status and place of what is refused of an evaluation `e`. */
  async refusal(body: object): Promise<string> {
    const response = await this.ask({ evaluation_call_ids: ['e'], ...body });
    const { detail } = (await response.json()) as { detail?: { loc: string[] }[] };
    return `${response.status} ${detail?.[0]?.loc.join('.')}`;
  }

  /** An evaluation of questions, with an answer and scores for each. */
  async evaluation(id: string, ...rows: { q: unknown; output?: unknown; scores?: object }[]): Promise<void> {
    const ended_at = '2026-02-01T00:00:00Z';
    const inputs = { self: `weave:///a/b/object/${id}:v0`, model: MODEL };
    await this.given(
      { id, trace_id: 't', op_name: 'Evaluation.evaluate', display_name: `run ${id}`, inputs },
      ...rows.map(({ q, output = null, scores = {} }, i) => ({
        id: `${id}-${i}`,
        ...{ trace_id: 't', parent_id: id, op_name: ROW, ended_at, output: { output, scores } },
        inputs: { self: inputs.self, model: MODEL, example: typeof q === 'string' ? q : { q } },
      })),
    );
  }

  /** The trials of each row of `e` and `f`, in the order of the answer: `e-0,f-1 e-1`. */
  async order(body: object): Promise<string> {
    const { rows } = await this.results({ evaluation_call_ids: ['e', 'f'], ...body });
    const trials = rows.map(({ evaluations }) =>
      evaluations.flatMap((one) => one.trials.map((trial) => trial.predict_and_score_call_id)),
    );
    return trials.map((ids) => ids.join()).join(' ');
  }
}
