import { Module } from '@nestjs/common';
import { BackgroundResponsesRepository } from './background/background-responses.repository.js';
import { LostResponsesHandler } from './background/lost-responses.handler.js';
import { LostResponsesService } from './background/lost-responses.service.js';
import { PruneResponsesHandler } from './prune-responses.handler.js';
import { StoredResponsesRepository } from './stored-responses.repository.js';

/** The worker's part of inference: no routes. */
@Module({
  providers: [
    BackgroundResponsesRepository,
    LostResponsesHandler,
    LostResponsesService,
    PruneResponsesHandler,
    StoredResponsesRepository,
  ],
  exports: [PruneResponsesHandler],
})
export class ResponseRetentionModule {}
