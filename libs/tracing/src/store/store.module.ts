import { Module } from '@nestjs/common';
import { CallWriter } from './call.writer.js';

/** The rows of calls: how they are written and merged. Knows no wire, and nobody who asks. */
@Module({ providers: [CallWriter], exports: [CallWriter] })
export class StoreModule {}
