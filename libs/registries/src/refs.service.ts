import { Injectable } from '@nestjs/common';
import { ArtifactReader, CollectionVersionsService, parseArtifactRef, type ResolvedArtifact } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { RegistryAccessService } from './registry-access.service.js';
import { RegistryCollectionsService } from './registry-collections.service.js';

/** Finds versions by their refs, in projects and in registries: no project shares a registry's name. */
@Injectable()
export class RefsService {
  constructor(
    private readonly access: RegistryAccessService,
    private readonly collections: RegistryCollectionsService,
    private readonly versions: CollectionVersionsService,
    private readonly artifacts: ArtifactReader,
  ) {}

  /**
   * The version that a ref names, for callers who may read it there. Where an older database has both, the registry is meant:
   * nobody but those it appoints can put anything there.
   * @param loc where the ref stands in the request, for the error
   */
  async resolve(caller: Principal, text: string, loc: (string | number)[]): Promise<ResolvedArtifact> {
    const { entity, project, collection, version } = parseArtifactRef(text, loc);
    if (!(await this.access.exists({ entity, registry: project }))) return this.artifacts.resolve(caller, text, loc);
    const { ref } = await this.collections.find(caller, { entity, registry: project, collection }, 'viewer');
    return { collection: ref, version: await this.versions.get(ref, version) };
  }
}
