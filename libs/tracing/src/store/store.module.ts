import { Module } from '@nestjs/common';
import { CallStore } from './call.store.js';
import { CallWriter } from './call.writer.js';

/** The rows of calls: how they are written and merged. Knows no wire, and nobody who asks. */
@Module({ providers: [CallStore, CallWriter], exports: [CallStore] })
export class StoreModule {}
