import { type AgentSpan, durationOf, isToolSpan } from './agent-span.js';
import { shownText, type SpanMessage } from './span-messages.js';

export interface ChatMessage {
  type: 'user_message' | 'assistant_message' | 'tool_call' | 'agent_start';
  [field: string]: unknown;
}

/** A span with the costs of what it used, where that is known. */
export type CostedSpan = AgentSpan & {
  input_cost_usd: number | null;
  output_cost_usd: number | null;
  total_cost_usd: number | null;
};

interface Node {
  span: CostedSpan;
  children: Node[];
}

/** Spans nest no deeper in any trace that somebody reads. */
const MAX_DEPTH = 200;

/** A trace as a conversation: what was asked, which agents and tools were called, what they said. */
export function traceChat(traceId: string, spans: CostedSpan[]): Record<string, unknown> {
  const root = rootOf(spans);
  const counted = countedOnce(spans);
  const sum = (name: 'input_tokens' | 'output_tokens' | 'reasoning_tokens' | CacheTokens): number =>
    counted.reduce((total, span) => total + span[name], 0);
  const costs = counted.flatMap(({ total_cost_usd: cost }) => (cost === null ? [] : [cost]));
  return {
    trace_id: traceId,
    root_span_name: root ? (root.agent_name ?? root.span_name) : null,
    agent_name: root?.agent_name ?? null,
    agent_version: root?.agent_version ?? null,
    status_code: root?.status_code ?? null,
    provider: root?.provider_name ?? null,
    started_at: root?.started_at ?? null,
    ended_at: root?.ended_at ?? null,
    wb_user_id: root?.wb_user_id ?? null,
    total_duration_ms: root ? durationOf(root) : null,
    total_cost_usd: costs.length > 0 ? costs.reduce((total, cost) => total + cost, 0) : null,
    total_input_tokens: sum('input_tokens'),
    total_output_tokens: sum('output_tokens'),
    total_reasoning_tokens: sum('reasoning_tokens'),
    total_cache_creation_input_tokens: sum('cache_creation_input_tokens'),
    total_cache_read_input_tokens: sum('cache_read_input_tokens'),
    messages: new ChatWriter().write(treesOf(spans)),
    feedback: null,
  };
}

type CacheTokens = 'cache_creation_input_tokens' | 'cache_read_input_tokens';

/** Those whose usage counts: what a span above others that state theirs says is their sum. */
function countedOnce(spans: CostedSpan[]): CostedSpan[] {
  const byId = new Map(spans.map((span) => [span.span_id, span]));
  const above = new Set<string>();
  for (const span of spans.filter(uses)) {
    for (let id = span.parent_span_id; id !== null && !above.has(id); id = byId.get(id)?.parent_span_id ?? null)
      above.add(id);
  }
  return spans.filter((span) => uses(span) && !above.has(span.span_id));
}

const uses = (span: CostedSpan): boolean => span.input_tokens + span.output_tokens > 0;

/** The one without a parent; else the one that ended last. */
function rootOf(spans: CostedSpan[]): CostedSpan | undefined {
  const roots = spans.filter(({ parent_span_id: parent }) => parent === null);
  if (roots.length === 1) return roots[0];
  return [...spans].sort((a, b) => compare(b.ended_at ?? '', a.ended_at ?? '') || compare(a.span_id, b.span_id))[0];
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function treesOf(spans: CostedSpan[]): Node[] {
  const nodes = new Map(spans.map((span) => [span.span_id, { span, children: [] as Node[] }]));
  const roots: Node[] = [];
  for (const node of nodes.values()) {
    const parent = nodes.get(node.span.parent_span_id ?? '');
    (parent && parent !== node ? parent.children : roots).push(node);
  }
  const inOrder = (a: Node, b: Node): number =>
    compare(a.span.started_at, b.span.started_at) ||
    compare(a.span.ended_at ?? '~', b.span.ended_at ?? '~') ||
    compare(a.span.span_id, b.span.span_id);
  for (const { children } of nodes.values()) children.sort(inOrder);
  return roots.sort(inOrder);
}

/** Goes through the spans of a trace, and writes down what happened. */
class ChatWriter {
  private readonly messages: ChatMessage[] = [];
  private asked = false;
  private lastQuestion = '';
  private lastInstructions = '';

  write(roots: Node[]): ChatMessage[] {
    for (const root of roots) this.walk(root, null, 0);
    if (!this.asked) this.askedAbove(roots);
    // The question is first, and the agent is called because of it.
    const [first, second] = this.messages;
    if (first?.type === 'agent_start' && second?.type === 'user_message') this.messages.splice(0, 2, second, first);
    return this.messages;
  }

  /** @returns whether anything was said below */
  private walk(node: Node, above: string | null, depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    const { span } = node;
    const agent = span.agent_name ?? span.agent_id ?? above;
    const children = (): boolean => node.children.map((child) => this.walk(child, agent, depth + 1)).includes(true);
    if (isToolSpan(span)) {
      this.messages.push(toolCall(span, agent));
      return children();
    }
    const isAgent = span.operation_name === 'invoke_agent';
    this.start(span, agent, isAgent);
    if (!isAgent && span.operation_name !== null) this.question(span);
    const said = children();
    // An agent repeats what its model said last.
    const answer = isAgent && said ? null : assistantMessage(span, agent);
    if (answer && !this.repeats(node, answer)) this.messages.push(answer);
    return said || answer !== null;
  }

  private start(span: CostedSpan, agent: string | null, isAgent: boolean): void {
    const instructions = span.system_instructions.join('\n');
    const isNew = instructions !== '' && instructions !== this.lastInstructions;
    if (isNew) this.lastInstructions = instructions;
    if (!isNew && !(isAgent && (agent ?? span.request_model) !== null)) return;
    const start = { model: span.request_model, system_instructions: instructions || null, status: span.status_code };
    this.messages.push({
      type: 'agent_start',
      ...common(span, agent),
      agent_start: { ...start, tool_definitions: null },
    });
  }

  /** What was asked since the last answer; before that is history. */
  private question(span: CostedSpan): void {
    const trailing = span.input_messages.slice(span.input_messages.findLastIndex(({ role }) => role !== 'user') + 1);
    for (const { content } of trailing) {
      const text = shownText(content);
      if (text === '' || text === this.lastQuestion) continue;
      this.lastQuestion = text;
      this.asked = true;
      this.messages.push(userMessage(text, span));
    }
  }

  /** Where models don't say what they were asked, the agents above them do. */
  private askedAbove(roots: Node[]): void {
    const all = (nodes: Node[]): CostedSpan[] => nodes.flatMap(({ span, children }) => [span, ...all(children)]);
    const spans = all(roots).filter((span) => !isToolSpan(span));
    const agents = spans.filter(({ operation_name: operation }) => operation === 'invoke_agent');
    for (const span of [...agents, ...spans]) {
      const text = textsOf(span.input_messages, (role) => role === 'user').at(-1);
      if (text === undefined) continue;
      this.messages.unshift(userMessage(text, span));
      return;
    }
  }

  /** Two instrumentations saw one answer: the inner one stands, at its time. */
  private repeats(node: Node, { assistant_message: answer }: ChatMessage): boolean {
    const text = (answer as { text: string }).text;
    const ids = new Set(node.children.map(({ span }) => span.span_id));
    const isSame = (one: ChatMessage): boolean =>
      one.type === 'assistant_message' &&
      ids.has(one['span_id'] as string) &&
      (one['assistant_message'] as { text: string }).text === text;
    return text !== '' && this.messages.some(isSame);
  }
}

const textsOf = (messages: SpanMessage[], isOf: (role: string) => boolean): string[] =>
  messages.filter(({ role }) => isOf(role)).flatMap(({ content }) => shownText(content) || []);

const common = (span: CostedSpan, agent: string | null): object => ({
  span_id: span.span_id,
  agent_name: agent,
  agent_version: span.agent_version,
  status_code: span.status_code,
  error_type: span.status_code === 'ERROR' ? span.error_type : null,
  status_message: span.status_code === 'ERROR' ? span.status_message : null,
  started_at: span.started_at,
});

const userMessage = (text: string, { started_at: at }: CostedSpan): ChatMessage => ({
  type: 'user_message',
  agent_name: 'User',
  started_at: at,
  user_message: { text, content_refs: [] },
});

const toolCall = (span: CostedSpan, agent: string | null): ChatMessage => ({
  type: 'tool_call',
  ...common(span, agent),
  tool_call: {
    tool_name: span.tool_name ?? (span.span_name ?? '').replace(/^execute_tool /, ''),
    tool_arguments: span.tool_call_arguments,
    tool_result: span.tool_call_result,
    duration_ms: durationOf(span),
    status: span.status_code,
    content_refs: [],
  },
});

/** What a span said, or that it failed. */
function assistantMessage(span: CostedSpan, agent: string | null): ChatMessage | null {
  const text = textsOf(span.output_messages, (role) => role !== 'user').join('\n\n');
  const isOfModel = span.operation_name !== null || span.request_model !== null;
  if (!isOfModel || (text === '' && span.status_code !== 'ERROR')) return null;
  return {
    type: 'assistant_message',
    ...common(span, agent),
    assistant_message: {
      model: span.response_model ?? span.request_model,
      text,
      reasoning_content: null,
      reasoning_tokens: span.reasoning_tokens,
      input_tokens: span.input_tokens,
      output_tokens: span.output_tokens,
      input_cost_usd: span.input_cost_usd,
      output_cost_usd: span.output_cost_usd,
      total_cost_usd: span.total_cost_usd,
      duration_ms: durationOf(span),
      status: span.status_code,
      content_refs: [],
    },
  };
}
