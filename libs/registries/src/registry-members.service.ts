import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { PlaceRole } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import { type Place, type PlaceMember, PlaceMembersService } from '@heddle/projects';
import { DEFAULT_ROLE, RegistryAccessService, type RegistryName, type RegistryRef } from './registry-access.service.js';

/** Roles in a registry. Everybody with one may see them; registry administrators change them. */
@Injectable()
export class RegistryMembersService {
  constructor(
    private readonly access: RegistryAccessService,
    private readonly members: PlaceMembersService,
  ) {}

  async list(caller: Principal, name: RegistryName, query: PageQuery): Promise<PlaceMember[]> {
    return this.members.list(placeOf(await this.access.requireRole(caller, name, 'viewer')), query);
  }

  async put(caller: Principal, name: RegistryName, username: string, role: PlaceRole): Promise<PlaceMember> {
    return this.members.put(placeOf(await this.access.requireRole(caller, name, 'admin')), username, role);
  }

  async remove(caller: Principal, name: RegistryName, username: string): Promise<void> {
    await this.members.remove(placeOf(await this.access.requireRole(caller, name, 'admin')), username);
  }
}

const placeOf = (registry: RegistryRef): Place => ({ ...registry, kind: 'registry', byDefault: DEFAULT_ROLE });
