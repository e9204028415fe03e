import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import { CallAdditionsReader } from './call-additions.reader.js';
import { callText } from './call-view.js';
import { CallsRepository } from './calls.repository.js';

@Injectable()
export class CallsService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly calls: CallsRepository,
    private readonly additions: CallAdditionsReader,
  ) {}

  /** The call's JSON text, or null where nothing of that id is to be seen. */
  async read(caller: Principal, projectId: string, callId: string, includeCosts: boolean): Promise<Buffer | null> {
    const project = await this.access.find(caller, parseProjectId(projectId));
    const call = project && (await this.calls.find(project.id, callId));
    if (!call) return null;
    const [additions] = await this.additions.of(project, [call], { includeCosts, includeFeedback: false });
    return callText(call, projectId, additions);
  }

  /** @returns how many calls are gone, descendants included */
  async delete(caller: Principal, projectId: string, callIds: readonly string[]): Promise<number> {
    const project = await this.access.findWritable(caller, parseProjectId(projectId));
    return project ? this.calls.delete(project.id, callIds) : 0;
  }

  async rename(caller: Principal, projectId: string, callId: string, displayName: string): Promise<void> {
    const project = await this.access.findOrCreate(caller, parseProjectId(projectId));
    await this.calls.rename(project.id, callId, displayName);
  }
}
