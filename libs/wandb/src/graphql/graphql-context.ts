import type { Principal } from '@heddle/auth';
import type { ProjectAccessService } from '@heddle/projects';

/** What every resolver may use: who asks, and the services that answer. */
export interface GraphqlContext {
  caller: Principal;
  projects: ProjectAccessService;
  /** Where users reach this instance, without a trailing slash. */
  publicUrl: string;
}
