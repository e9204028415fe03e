import type { Run } from '@heddle/database';
import type { ProjectRef } from '@heddle/projects';

/** What the fields of a run are answered from. */
export interface RunSource {
  run: Run;
  project: ProjectRef;
}
