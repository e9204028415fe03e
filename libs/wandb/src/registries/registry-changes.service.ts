import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { NotFoundError, ValidationError } from '@heddle/http';
import { RegistriesService, RegistryNotFoundError } from '@heddle/registries';
import { readFilter } from '../filters/mongo-filter.js';
import { orderOf } from '../filters/mongo-values.js';
import { REGISTRY_PREFIX, registryNameOf, type RegistrySource, registrySource } from '../places/place-source.js';

export interface UpsertRegistryInput {
  name: string;
  entityName?: string | null;
  description?: string | null;
  access?: string | null;
  allowAllArtifactTypesInRegistry?: boolean | null;
  artifactTypes?: { name: string }[] | null;
}

/** What the schema tells of a registry beside its name. */
export interface RegistryDetails {
  description: string | null;
  createdAt: Date;
}

const PAGE = 100;
const LOC = ['variables', 'input'];

/** Registries as the SDK manages them, by the service that REST goes by. */
@Injectable()
export class RegistryChangesService {
  constructor(private readonly registries: RegistriesService) {}

  /** Makes the registry if the team has none of that name, else describes it. */
  async upsert(
    caller: Principal,
    input: UpsertRegistryInput,
  ): Promise<{ registry: RegistrySource; inserted: boolean }> {
    if (input.access && input.access !== 'PRIVATE') {
      const msg = "A registry is its team's here: visibility 'restricted' is not served";
      throw ValidationError.at([...LOC, 'access'], msg, 'registry_access', input.access);
    }
    if (input.allowAllArtifactTypesInRegistry === false || (input.artifactTypes ?? []).length > 0) {
      const msg = 'A registry takes artifacts of every type here: each of its collections takes those of one';
      throw ValidationError.at([...LOC, 'artifactTypes'], msg, 'registry_types');
    }
    const entity = (input.entityName || caller.defaultTeam) ?? '';
    const name = registryNameOf(input.name)!;
    const known = await this.find(caller, entity, name);
    if (known) {
      if (input.description !== null && input.description !== undefined) {
        await this.registries.describe(caller, { entity, registry: name }, input.description);
      }
      return { registry: known, inserted: false };
    }
    await this.registries.create(caller, { entity, name, description: input.description ?? null });
    return { registry: (await this.find(caller, entity, name))!, inserted: true };
  }

  /** By its id. */
  async delete(caller: Principal, id: string): Promise<void> {
    const found = (await this.list(caller, undefined, {})).find((registry) => registry.id === id);
    if (!found) throw new RegistryNotFoundError(id);
    await this.registries.delete(caller, { entity: found.entity, registry: found.registry.name });
  }

  async get(caller: Principal, id: string): Promise<RegistrySource> {
    const found = (await this.list(caller, undefined, {})).find((registry) => registry.id === id);
    if (!found) throw new RegistryNotFoundError(id);
    return found;
  }

  async details(caller: Principal, { entity, registry: { name } }: RegistrySource): Promise<RegistryDetails> {
    const { description, createdAt } = await this.registries.get(caller, { entity, registry: name });
    return { description, createdAt };
  }

  /** Those of a team, or all that the caller may see. */
  async list(
    caller: Principal,
    entity: string | undefined,
    { filters, order }: { filters?: string | null; order?: string | null },
  ): Promise<RegistrySource[]> {
    const { test, names } = readFilter(filters);
    const [, sign, field = 'created_at'] = /^([+-]?)(.+)$/s.exec(order ?? '') ?? [];
    const found: { source: RegistrySource; values: Record<string, unknown> }[] = [];
    for (let after: string | undefined; ;) {
      const page = await this.registries.list(caller, entity, { limit: PAGE, order: 'asc', ...(after && { after }) });
      for (const { id, teamId, name, team, description, createdAt } of page.slice(0, PAGE)) {
        const source = registrySource({ id, teamId, entity: team.name, name });
        const values = { id, name: source.name, description, created_at: createdAt, updated_at: createdAt };
        for (const each of [...names, field]) requireField(values, each);
        if (test((each) => values[each as keyof typeof values])) found.push({ source, values });
      }
      if (page.length <= PAGE) break;
      after = page[PAGE - 1]!.id;
    }
    const direction = sign === '-' ? -1 : 1;
    found.sort((a, b) => direction * orderOf(a.values[field], b.values[field]));
    return found.map(({ source }) => source);
  }

  private async find(caller: Principal, entity: string, registry: string): Promise<RegistrySource | null> {
    try {
      const { id, teamId, team, name } = await this.registries.get(caller, { entity, registry });
      return registrySource({ id, teamId, entity: team.name, name });
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }
}

function requireField(values: object, name: string): void {
  if (Object.hasOwn(values, name)) return;
  const msg = `Registries have no '${name}' to find or order them by, as '${REGISTRY_PREFIX}...' is found by its name`;
  throw ValidationError.at(['variables', 'filters'], msg, 'field', name);
}
