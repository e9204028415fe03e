import { Module } from '@nestjs/common';
import { EngineModule } from '@heddle/base-models';
import { ModelsModule } from '@heddle/models';
import { ProjectsModule } from '@heddle/projects';
import { StoreModule } from '@heddle/tracing';
import { ChatCompletionsController } from './chat-completions.controller.js';
import { ChatCompletionsService } from './chat-completions.service.js';
import { CompletionsController } from './completions/completions.controller.js';
import { CompletionsService } from './completions/completions.service.js';
import { EmbeddingsController } from './embeddings/embeddings.controller.js';
import { PlaygroundController } from './playground/playground.controller.js';
import { PlaygroundService } from './playground/playground.service.js';
import { BackgroundResponseRunner } from './responses/background/background-response.runner.js';
import { BackgroundResponsesRepository } from './responses/background/background-responses.repository.js';
import { BackgroundResponsesService } from './responses/background/background-responses.service.js';
import { LostResponsesService } from './responses/background/lost-responses.service.js';
import { ResponseEventStream } from './responses/background/response-event.stream.js';
import { RunningResponsesRegistry } from './responses/background/running-responses.registry.js';
import { ResponsePromptService } from './responses/response-prompt.service.js';
import { ResponseReader } from './responses/response.reader.js';
import { ResponseTokensService } from './responses/response-tokens.service.js';
import { ResponseTruncationService } from './responses/response-truncation.service.js';
import { ResponsesController } from './responses/responses.controller.js';
import { ResponsesService } from './responses/responses.service.js';
import { StoredResponsesRepository } from './responses/stored-responses.repository.js';
import { ServedModelsController } from './served-models.controller.js';
import { ChatLimitsService } from './serving/chat-limits.service.js';
import { GenerationsService } from './serving/generations.service.js';
import { ServedModelListService } from './serving/served-model-list.service.js';
import { ServedModelsService } from './serving/served-models.service.js';
import { TokenTextsService } from './serving/token-texts.service.js';
import { TokenizationController } from './tokens/tokenization.controller.js';
import { TokenizationService } from './tokens/tokenization.service.js';
import { ChatTracer } from './tracing/chat.tracer.js';

/** Chat with models and their checkpoints, in the way of OpenAI's API. */
@Module({
  imports: [StoreModule, EngineModule, ModelsModule, ProjectsModule],
  controllers: [
    ChatCompletionsController,
    CompletionsController,
    ResponsesController,
    EmbeddingsController,
    PlaygroundController,
    TokenizationController,
    ServedModelsController,
  ],
  providers: [
    BackgroundResponseRunner,
    BackgroundResponsesRepository,
    BackgroundResponsesService,
    ChatCompletionsService,
    CompletionsService,
    ChatLimitsService,
    ChatTracer,
    GenerationsService,
    LostResponsesService,
    ServedModelListService,
    PlaygroundService,
    ResponseEventStream,
    ResponsePromptService,
    ResponseReader,
    ResponseTokensService,
    ResponseTruncationService,
    ResponsesService,
    RunningResponsesRegistry,
    ServedModelsService,
    StoredResponsesRepository,
    TokenTextsService,
    TokenizationService,
  ],
})
export class InferenceModule {}
