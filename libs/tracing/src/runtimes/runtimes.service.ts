import { Injectable } from '@nestjs/common';
import type { Principal } from '@heddle/auth';
import { ConflictError, ValidationError } from '@heddle/http';
import { indexJson, indexJsonSync, type JsonMember, type JsonNode, RawJson } from '@heddle/json';
import { parseProjectId, ProjectAccessService } from '@heddle/projects';
import { ObjectsService } from '../objects/objects.service.js';
import { type ApplyRuntime, DEFAULT_MAX_TOKENS } from './runtimes.schema.js';

/** Objects' names are no longer. */
const MAX_NAME = 128;
/** Clouds' own services hand out credentials to whoever sends these. */
const REFUSED_HEADERS = /^(metadata-flavor|x-aws-ec2-metadata-token(-ttl-seconds)?)$/i;

export interface AppliedRuntime {
  name: string;
  base_url: string;
  api_key_secret: string | null;
  headers: Record<string, string>;
  runtime_ids: { id: string; max_tokens: number; playground_id: string }[];
}

interface Stored {
  objectId: string;
  digest: string;
  baseClass: string | null;
  val: JsonNode;
}

/** Endpoints that serve models, and which: objects of the classes Provider and ProviderModel. */
@Injectable()
export class RuntimesService {
  constructor(
    private readonly access: ProjectAccessService,
    private readonly objects: ObjectsService,
  ) {}

  /** Makes the runtime what is asked for. What it hasn't any more is deleted once the rest is stored. */
  async apply(caller: Principal, projectId: string, name: string, wanted: ApplyRuntime): Promise<AppliedRuntime> {
    await this.access.findWritable(caller, parseProjectId(projectId, ['path', 'project']));
    check(name, wanted);
    const provider = objectIdOf(name);
    const models = modelsOf(provider, wanted);
    const versions = await this.find(caller, projectId, { object_ids: [provider], base_object_classes: ['Provider'] });
    const digests = new Set(versions.map(({ digest }) => digest));
    const isOurs = ({ val }: Stored): boolean => digests.has(val.get('provider')?.string() ?? '');
    await this.refuseOthers(caller, projectId, { name, provider, models, isOurs });
    const existing = await this.find(caller, projectId, { leaf_object_classes: ['ProviderModel'], latest_only: true });
    const { api_key_secret: secret = null, base_url: url, headers = {} } = wanted;
    const val = { name, base_url: url, api_key_name: secret ?? '', extra_headers: headers, return_type: 'openai' };
    const digest = await this.store(caller, projectId, provider, 'Provider', val);
    const runtimeIds = [];
    for (const [objectId, { id, max_tokens: most = DEFAULT_MAX_TOKENS }] of models) {
      await this.store(caller, projectId, objectId, 'ProviderModel', { name: id, provider: digest, max_tokens: most });
      runtimeIds.push({ id, max_tokens: most, playground_id: `custom::${name}::${id}` });
    }
    for (const old of existing.filter(isOurs).filter(({ objectId }) => !models.has(objectId)))
      await this.objects.delete(caller, { project_id: projectId, object_id: old.objectId });
    return { name, base_url: url, api_key_secret: secret, headers, runtime_ids: runtimeIds };
  }

  /** Runtimes and models share their names with all objects. */
  private async refuseOthers(
    caller: Principal,
    projectId: string,
    { name, provider, models, isOurs }: Names,
  ): Promise<void> {
    const filter = { object_ids: [provider, ...models.keys()], latest_only: true };
    for (const found of await this.find(caller, projectId, filter)) {
      const { objectId, baseClass, val } = found;
      const stored = val.get('name')?.string();
      const isSame =
        objectId === provider
          ? baseClass === 'Provider' && (stored === undefined || stored === name)
          : baseClass === 'ProviderModel' && stored === models.get(objectId)?.id && isOurs(found);
      if (!isSame) throw new ConflictError(`There is another object '${objectId}'`, 'object_exists');
    }
  }

  private async find(caller: Principal, projectId: string, filter: object): Promise<Stored[]> {
    const found = await this.objects.query(caller, { project_id: projectId, filter: { is_op: false, ...filter } });
    return found.map(storedOf);
  }

  private async store(caller: Principal, projectId: string, objectId: string, kind: string, val: object) {
    const fields = { project_id: projectId, object_id: objectId, builtin_object_class: kind };
    return (await this.objects.create(caller, fields, await indexJson(Buffer.from(JSON.stringify(val))))).digest;
  }
}

interface Names {
  name: string;
  provider: string;
  models: ReadonlyMap<string, { id: string }>;
  isOurs: (stored: Stored) => boolean;
}

function storedOf(members: JsonMember[]): Stored {
  const all = new Map(members);
  return {
    objectId: all.get('object_id') as string,
    digest: all.get('digest') as string,
    baseClass: all.get('base_object_class') as string | null,
    val: indexJsonSync(Buffer.from((all.get('val') as RawJson).text)),
  };
}

const objectIdOf = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/gu, '_');

function modelsOf(
  provider: string,
  { runtime_ids: wanted }: ApplyRuntime,
): Map<string, ApplyRuntime['runtime_ids'][0]> {
  const models = new Map<string, ApplyRuntime['runtime_ids'][0]>();
  for (const [i, model] of wanted.entries()) {
    const objectId = `${provider}-${objectIdOf(model.id)}`;
    if (models.has(objectId)) {
      const msg = `'${models.get(objectId)!.id}' and '${model.id}' would be one object`;
      throw ValidationError.at(['body', 'runtime_ids', i, 'id'], msg, 'duplicate');
    }
    models.set(objectId, model);
  }
  return models;
}

function check(name: string, { headers = {}, runtime_ids: models }: ApplyRuntime): void {
  if (!/^(?!.*::)\S+$/u.test(name))
    throw ValidationError.at(['path', 'name'], 'must have neither spaces nor ::', 'string_pattern');
  const long = models.findIndex(({ id }) => name.length + 1 + id.length > MAX_NAME);
  if (name.length > MAX_NAME || long >= 0)
    throw ValidationError.at(
      ['body', 'runtime_ids', Math.max(long, 0), 'id'],
      `must, with the runtime's name, have at most ${MAX_NAME} characters`,
      'string_too_long',
    );
  const refused = Object.keys(headers).find((header) => REFUSED_HEADERS.test(header));
  if (refused !== undefined)
    throw ValidationError.at(['body', 'headers', refused], 'This header may not be sent', 'forbidden_header');
}
