import { Accounts1764200000000 } from './1764200000000-accounts.js';
import { Calls1764200000001 } from './1764200000001-calls.js';

/** In the order in which they run. */
export const migrations = [Accounts1764200000000, Calls1764200000001];
