import type { Principal } from '@heddle/auth';
import { ApiError, ValidationError } from '@heddle/http';
import { parseProjectId, type ProjectAccessService, type ProjectName, type ProjectRef } from '@heddle/projects';
import type { SpanSource } from './received-span.js';

/** Where the spans of one request belong, each source asked once. */
export class SpanProjects {
  private readonly known = new Map<SpanSource, ProjectRef | ApiError>();

  /** @param header the request's `project_id` */
  constructor(
    private readonly caller: Principal,
    private readonly access: ProjectAccessService,
    private readonly header: string | undefined,
  ) {}

  /** @throws ApiError if the resource names no project, or one that the caller may not write to */
  async of(source: SpanSource): Promise<ProjectRef> {
    const known = this.known.get(source) ?? (await this.writable(source));
    this.known.set(source, known);
    if (known instanceof ApiError) throw known;
    return known;
  }

  private async writable(source: SpanSource): Promise<ProjectRef | ApiError> {
    try {
      return await this.access.findOrCreate(this.caller, this.nameOf(source));
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }

  /** The resource comes before the header, since a collector has one header for the many services that it forwards. */
  private nameOf(source: SpanSource): ProjectName {
    const project = attributeText(source, 'wandb.project');
    const entity = attributeText(source, 'wandb.entity') ?? this.caller.defaultTeam;
    if (project && entity) return parseProjectId(`${entity}/${project}`, ['resource', 'wandb.project']);
    if (this.header) return parseProjectId(this.header, ['header', 'project_id']);
    const missing = 'Name a project: header project_id, or resource attributes wandb.entity and wandb.project';
    throw ValidationError.at(['header', 'project_id'], missing, 'missing');
  }
}

function attributeText({ attributes }: SpanSource, key: string): string | undefined {
  const value = attributes.get(key);
  return typeof value === 'string' ? value : undefined;
}
