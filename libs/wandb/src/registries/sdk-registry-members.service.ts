import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { PlaceRole } from '@heddle/database';
import { NotFoundError, ValidationError } from '@heddle/http';
import type { PlaceMember } from '@heddle/projects';
import { RegistryMembersService } from '@heddle/registries';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import type { RegistrySource } from '../places/place-source.js';
import { RegistryChangesService } from './registry-changes.service.js';
import { userIdOf } from './member-id.js';

export interface MembersInput {
  projectId: string;
  userIds?: string[] | null;
  teamIds?: string[] | null;
}

const ROLES: readonly string[] = ['admin', 'member', 'viewer'] satisfies PlaceRole[];
const LOC = ['variables', 'input'];
const PAGE = 100;

/** Who has which role in a registry. Roles are granted to users, not to teams. */
@Injectable()
export class SdkRegistryMembersService {
  constructor(
    private readonly registries: RegistryChangesService,
    private readonly members: RegistryMembersService,
    private readonly accounts: AccountsRepository,
  ) {}

  async list(caller: Principal, { entity, registry: { name } }: RegistrySource): Promise<PlaceMember[]> {
    const found: PlaceMember[] = [];
    for (let after: string | undefined; ;) {
      const query = { limit: PAGE, order: 'asc' as const, ...(after && { after }) };
      const page = await this.members.list(caller, { entity, registry: name }, query);
      found.push(...page.slice(0, PAGE));
      if (page.length <= PAGE) return found;
      after = page[PAGE - 1]!.user.id;
    }
  }

  /** New members are viewers; those who have a role keep it. */
  async add(caller: Principal, input: MembersInput): Promise<void> {
    const registry = await this.registryOf(caller, input);
    const known = new Set((await this.list(caller, registry)).map(({ user }) => user.id));
    for (const id of input.userIds ?? []) {
      const userId = userIdOf(id);
      if (!known.has(userId)) await this.put(caller, registry, await this.usernameOf(caller, userId), 'viewer');
    }
  }

  async remove(caller: Principal, input: MembersInput): Promise<void> {
    const registry = await this.registryOf(caller, input);
    const name = { entity: registry.entity, registry: registry.registry.name };
    for (const id of input.userIds ?? []) {
      const member = await this.memberOf(caller, registry, userIdOf(id));
      await this.members.remove(caller, name, member.user.username);
    }
  }

  async setRole(caller: Principal, projectId: string, userId: string, role: string): Promise<void> {
    const registry = await this.registryOf(caller, { projectId });
    if (!ROLES.includes(role)) {
      throw ValidationError.at([...LOC, 'userProjectRole'], `is none of ${ROLES.join(', ')}`, 'role', role);
    }
    const { user } = await this.memberOf(caller, registry, userIdOf(userId));
    await this.put(caller, registry, user.username, role as PlaceRole);
  }

  private put(
    caller: Principal,
    { entity, registry }: RegistrySource,
    username: string,
    role: PlaceRole,
  ): Promise<unknown> {
    return this.members.put(caller, { entity, registry: registry.name }, username, role);
  }

  private async memberOf(caller: Principal, registry: RegistrySource, userId: string): Promise<PlaceMember> {
    const found = (await this.list(caller, registry)).find(({ user }) => user.id === userId);
    if (!found) throw new NotFoundError(`User '${userId}' is no member of '${registry.name}'`, 'member_not_found');
    return found;
  }

  private async usernameOf(caller: Principal, userId: string): Promise<string> {
    const [user] = await this.accounts.findUsers(caller, { id: userId });
    if (!user) throw new NotFoundError(`User '${userId}' not found`, 'user_not_found');
    return user.username;
  }

  private registryOf(caller: Principal, { projectId, teamIds }: MembersInput): Promise<RegistrySource> {
    if ((teamIds ?? []).length > 0) {
      throw ValidationError.at(
        [...LOC, 'teamIds'],
        'Roles in registries are granted to users, not to teams',
        'team_ids',
      );
    }
    return this.registries.get(caller, projectId);
  }
}
