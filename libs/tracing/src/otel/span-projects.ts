import type { Principal } from '@heddle/auth';
import { ValidationError } from '@heddle/http';
import type { JsonNode } from '@heddle/json';
import { parseProjectId, type ProjectAccessService, type ProjectName } from '@heddle/projects';

/** Where the resources of one request belong, each asked once. */
export class SpanProjects {
  private readonly known = new Map<JsonNode | undefined, Promise<ProjectName>>();

  /** @param header the request's `project_id` */
  constructor(
    private readonly caller: Principal,
    private readonly access: ProjectAccessService,
    private readonly header: string | undefined,
  ) {}

  /** @throws ApiError if the resource names no project, or one that the caller may not write to */
  of(resource: JsonNode | undefined): Promise<ProjectName> {
    const known = this.known.get(resource) ?? this.writable(resource);
    this.known.set(resource, known);
    return known;
  }

  private async writable(resource: JsonNode | undefined): Promise<ProjectName> {
    const name = this.nameOf(resource);
    await this.access.findOrCreate(this.caller, name);
    return name;
  }

  /** The resource comes before the header, since a collector has one header for the many services that it forwards. */
  private nameOf(resource: JsonNode | undefined): ProjectName {
    const project = attributeText(resource, 'wandb.project');
    const entity = attributeText(resource, 'wandb.entity') ?? this.caller.defaultTeam;
    if (project && entity) return parseProjectId(`${entity}/${project}`, ['resource', 'wandb.project']);
    if (this.header) return parseProjectId(this.header, ['header', 'project_id']);
    const missing = 'Name a project: header project_id, or resource attributes wandb.entity and wandb.project';
    throw ValidationError.at(['header', 'project_id'], missing, 'missing');
  }
}

function attributeText(resource: JsonNode | undefined, key: string): string | undefined {
  for (const attribute of resource?.get('attributes')?.items() ?? []) {
    if (attribute.get('key')?.string() === key) return attribute.get('value')?.get('stringValue')?.string();
  }
  return undefined;
}
