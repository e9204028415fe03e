export { EmbeddedEngine, type EmbeddedEngineOptions } from './embedded/embedded-engine.js';
export { SHIPPED_MODELS } from './embedded/shipped-models.js';
export { writeWholeFile } from './files/durable-write.js';
export type {
  ChatMessage,
  Choice,
  ContentPart,
  PromptEnding,
  TemplateContext,
  TemplateVariables,
  TokenLogprob,
  Tool,
  ToolCall,
  ToolCallForm,
} from './protocol/chat.js';
export type { BaseModelInfo, BaseModelSource, Engine, InferenceSource, TinkerSource } from './protocol/engine.js';
export { EngineError, type EngineErrorCode } from './protocol/engine.errors.js';
export type {
  AnswerFormat,
  FinishReason,
  GenerateEvent,
  GenerateRequest,
  OutputFormat,
  Prompt,
  PromptToken,
  SampledToken,
  SamplingDefaults,
  SamplingOptions,
} from './protocol/generate.js';
export { klReferenceStep, RL_SETTINGS, type RlConfig } from './protocol/rl-config.schema.js';
export { SAMPLING_SETTINGS } from './protocol/sampling-options.schema.js';
export type { SettingProblem, Settings } from './protocol/settings.js';
export { rateListProblem, SFT_SETTINGS, type SftConfig } from './protocol/sft-config.schema.js';
export type {
  AdapterShape,
  History,
  SftExample,
  StepMetrics,
  TrainData,
  TrainEvent,
  TrainRequest,
  Trajectory,
  TrajectoryGroup,
} from './protocol/train.js';
export { Engines } from './remote/engines.js';
export type { RemoteServerCheck } from './remote/server-check.js';
export { schemaCheck } from './schema/schema-check.js';
export { SchemaRefusal } from './schema/schema-keywords.js';
export { Tokenizer } from './text/tokenizer.js';
export { toolCallReader, type ToolCallReader } from './text/calls/tool-calls.js';
