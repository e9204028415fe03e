import type { Principal } from '@heddle/auth';
import type { GraphqlServices } from './graphql-services.js';

/** What every resolver may use: who asks, how they reach this server, and the services. */
export interface GraphqlContext extends GraphqlServices {
  caller: Principal;
  requestId: string;
  /** Where users reach this instance, without a trailing slash. */
  publicUrl: string;
  /** Where this client does, for addresses that it is to call. */
  baseUrl: string;
}
