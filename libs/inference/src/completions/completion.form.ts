import type { AnswerContext, AnswerForm } from '../answer/answer-form.js';
import { chatIdentity } from '../answer/chat-identity.js';
import { CompletionChunks } from './completion-chunks.js';
import type { CompletionRequest } from './completion-request.js';
import { type CompletionPlan, type TextCompletion, TextCompletionBuilder } from './text-completion.js';

/** The answer to a completion. */
export class CompletionForm implements AnswerForm<TextCompletion> {
  readonly operation = 'openai.completions.create';
  private readonly plan: CompletionPlan;

  constructor({ name, model, texts }: AnswerContext, { prompts, answer }: CompletionRequest) {
    const { id, created, system_fingerprint } = chatIdentity(name, model, 'cmpl');
    this.plan = {
      head: { id, object: 'text_completion', created, model: name, system_fingerprint },
      options: answer,
      texts,
      echoOf: (at, tokenIds) => {
        const prompt = prompts[at]!;
        return 'text' in prompt ? prompt.text : texts.join(tokenIds);
      },
    };
  }

  builder(): TextCompletionBuilder {
    return new TextCompletionBuilder(this.plan);
  }

  traced(): TextCompletionBuilder {
    return new TextCompletionBuilder({
      ...this.plan,
      options: { ...this.plan.options, logprobs: false, promptLogprobs: null },
    });
  }

  writer(): CompletionChunks {
    return new CompletionChunks(this.plan);
  }
}
