import { Accounts1764200000000 } from './1764200000000-accounts.js';
import { Calls1764200000001 } from './1764200000001-calls.js';
import { TraceObjects1764200000002 } from './1764200000002-trace-objects.js';

/** In the order in which they run. */
export const migrations = [Accounts1764200000000, Calls1764200000001, TraceObjects1764200000002];
