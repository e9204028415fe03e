import { Injectable } from '@nestjs/common';
import type { ProjectRef } from '@heddle/projects';
import { CostsService } from '../costs/costs.service.js';
import { FeedbackService } from '../feedback/feedback.service.js';
import type { CallRecord } from '../store/call-record.js';
import type { SummaryAdditions } from './call-view.js';
import { originalText } from '../values/indexed-text.js';

export interface WantedAdditions {
  includeCosts: boolean;
  includeFeedback: boolean;
}

/** What isn't stored with calls, but may be read with them. */
@Injectable()
export class CallAdditionsReader {
  constructor(
    private readonly costs: CostsService,
    private readonly feedback: FeedbackService,
  ) {}

  /** For each call, in order: one look-up for all of them. */
  async of(project: ProjectRef, calls: readonly CallRecord[], wanted: WantedAdditions): Promise<SummaryAdditions[]> {
    const ids = calls.map((call) => originalText(call.id, call.long_texts));
    const costs = wanted.includeCosts ? await this.costs.ofCalls(project, calls) : [];
    const feedback = wanted.includeFeedback ? await this.feedback.ofCalls(project, ids) : undefined;
    return ids.map((id, i) => ({ costs: costs[i], feedback: feedback?.get(id) }));
  }
}
