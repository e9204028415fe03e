import { ValidationError } from '@heddle/http';
import { parseProjectId, type ProjectName } from '@heddle/projects';
import { LATEST } from './version-selector.js';

/** The parts of `entity/project/collection:version`. */
export interface ArtifactRef extends ProjectName {
  collection: string;
  /** `vN`, an alias, a digest or an id. */
  version: string;
}

/**
 * Reads `wandb-artifact:///entity/project/collection:version`. Clients write two slashes as well as three, or leave the
 * scheme out; without a version, `latest` is meant.
 * @param loc where the ref stands in the request, for the error
 */
export function parseArtifactRef(ref: string, loc: (string | number)[]): ArtifactRef {
  const [, entity, project, collection, version = LATEST] =
    /^(?:wandb-artifact:\/{2,3})?([^/]+)\/([^/]+)\/([^/:\p{Cc}\p{Cs}]+)(?::([^/:\p{Cc}\p{Cs}]+))?$/u.exec(ref) ?? [];
  if (entity === undefined || collection === undefined) {
    throw ValidationError.at(loc, "An artifact's ref is 'entity/project/collection:version'", 'artifact_ref', ref);
  }
  return { ...parseProjectId(`${entity}/${project}`, loc), collection, version };
}
