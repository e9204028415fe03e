import { Module } from '@nestjs/common';
import { PruneResponsesHandler } from './prune-responses.handler.js';
import { StoredResponsesRepository } from './stored-responses.repository.js';

/** The worker's part of inference: no routes. */
@Module({ providers: [PruneResponsesHandler, StoredResponsesRepository], exports: [PruneResponsesHandler] })
export class ResponseRetentionModule {}
