import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import type { PlaceRole } from '@heddle/database';
import type { PageQuery } from '@heddle/http';
import { type Place, type PlaceMember, PlaceMembersService } from './place-members.service.js';
import { ProjectAccessService, type ProjectRef } from './project-access.service.js';
import type { ProjectName } from './project-id.js';

/** Roles in a project. Everybody with one may see them; project administrators change them. */
@Injectable()
export class ProjectMembersService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly members: PlaceMembersService,
  ) {}

  async list(caller: Principal, name: ProjectName, query: PageQuery): Promise<PlaceMember[]> {
    return this.members.list(placeOf(await this.access.get(caller, name)), query);
  }

  async put(caller: Principal, name: ProjectName, username: string, role: PlaceRole): Promise<PlaceMember> {
    const project = await this.access.requireRole(caller, name, 'admin');
    const member = await this.members.put(placeOf(project), username, role);
    this.access.forgetAll();
    return member;
  }

  async remove(caller: Principal, name: ProjectName, username: string): Promise<void> {
    await this.members.remove(placeOf(await this.access.requireRole(caller, name, 'admin')), username);
    this.access.forgetAll();
  }
}

const placeOf = (project: ProjectRef): Place => ({ ...project, kind: 'project', byDefault: 'member' });
