import { Module } from '@nestjs/common';
import { QueryLimits } from './query.limits.js';
import { QuerySlots } from './query.slots.js';
import { StatementReader } from './statement.reader.js';

/** The language in which calls, costs, feedback and tables are asked for, and what runs its statements. */
@Module({ providers: [QueryLimits, QuerySlots, StatementReader], exports: [QueryLimits, StatementReader] })
export class QueryModule {}
