import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { EntityNotFoundError, ProjectAccessService, type ProjectName, type ProjectRef } from '@heddle/projects';
import { type RefLookup, RefWalker } from './ref-walker.js';
import { RefsRepository } from './refs.repository.js';

@Injectable()
export class RefsService {
  constructor(
    private readonly projects: ProjectAccessService,
    private readonly refs: RefsRepository,
  ) {}

  /**
   * JSON texts of what the references name, in their order. Null for what is missing or deleted, is no reference, or
   * belongs to a project that the caller has no role in: nobody learns which.
   */
  async read(caller: Principal, refs: string[]): Promise<(Buffer | null)[]> {
    const walkers = refs.map((ref) => new RefWalker(ref));
    for (let open = walkers; open.length > 0; open = open.filter(({ lookup }) => lookup !== null)) {
      await this.advance(
        caller,
        open.filter(({ lookup }) => lookup !== null),
      );
    }
    return walkers.map(({ result }) => result);
  }

  /** Answers each walker's lookup, those of one project together; equal ones are looked up once. */
  private async advance(caller: Principal, walkers: RefWalker[]): Promise<void> {
    const byProject = grouped(walkers, ({ lookup }) => `${lookup!.project.entity}/${lookup!.project.project}`);
    for (const group of byProject.values()) {
      const project = await this.accessible(caller, group[0]!.lookup!.project);
      const byTarget = grouped(group, ({ lookup }) => JSON.stringify(lookup!.target));
      const targets: RefLookup['target'][] = [...byTarget.values()].map(([first]) => first!.lookup!.target);
      const found = project ? await this.refs.read(project, targets) : new Map<RefLookup['target'], Buffer>();
      let i = 0;
      for (const same of byTarget.values()) {
        const val = found.get(targets[i++]!) ?? null;
        for (const walker of same) await walker.give(val);
      }
    }
  }

  private async accessible(caller: Principal, name: ProjectName): Promise<ProjectRef | null> {
    try {
      return await this.projects.find(caller, name);
    } catch (error) {
      if (error instanceof EntityNotFoundError) return null;
      throw error;
    }
  }
}

function grouped<T>(items: T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
