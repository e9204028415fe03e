import { Injectable } from '@nestjs/common';
import { type VersionRow, VersionsRepository } from '@heddle/artifacts';
import { ValidationError } from '@heddle/http';
import { readLenient } from '@heddle/runs';
import { readFilter, type Values } from '../../filters/mongo-filter.js';
import { orderOf } from '../../filters/mongo-values.js';
import { valueAt } from '../../runs/finding/run-fields.js';
import type { CollectionSource, MembershipSource } from '../artifact-source.js';
import type { ListArgs } from './collections-finder.service.js';

const PAGE = 1000;
const METADATA = /^(?:artifact_)?metadata\.(.+)$/s;

type Field = (row: VersionRow) => unknown;

const version: Field = ({ index }) => `v${String(index)}`;
const created: Field = ({ created_at }) => created_at;
const linked: Field = ({ added_at }) => added_at;

const FIELDS: Readonly<Record<string, Field>> = {
  id: ({ id }) => id,
  artifact_id: ({ id }) => id,
  state: () => 'COMMITTED',
  version,
  version_index: ({ index }) => index,
  versionIndex: ({ index }) => index,
  tag: ({ tags }) => tags,
  tags: ({ tags }) => tags,
  alias: ({ aliases }) => aliases,
  aliases: ({ aliases }) => aliases,
  digest: ({ digest }) => digest,
  size: ({ size_bytes }) => Number(size_bytes),
  artifact_size: ({ size_bytes }) => Number(size_bytes),
  created_at: created,
  createdAt: created,
  artifact_created_at: created,
  updated_at: created,
  updatedAt: created,
  linked_at: linked,
  acm_created_at: linked,
};

/** Versions of a collection by what is said of them. */
@Injectable()
export class VersionsFinderService {
  constructor(private readonly versions: VersionsRepository) {}

  /** All that pass the filter; the newest first where nothing else is asked for. */
  async list(collection: CollectionSource, { filters, order }: ListArgs): Promise<MembershipSource[]> {
    const { test, names } = readFilter(filters);
    const [, sign, field] = /^([+-]?)(.+)$/s.exec(order ?? '-version_index') ?? ['', '-', 'version_index'];
    for (const name of [...names, field!]) checkField(name);
    const found: VersionRow[] = [];
    for (let after: string | undefined; ;) {
      const query = { limit: PAGE, order: 'asc' as const, ...(after && { after }) };
      const page = (await this.versions.findPage(collection.entity.id, undefined, query)).slice(0, PAGE);
      found.push(...page.filter((row) => test(valuesOf(row))));
      if (page.length < PAGE) break;
      after = page.at(-1)!.id;
    }
    const direction = sign === '-' ? -1 : 1;
    found.sort((a, b) => direction * orderOf(valuesOf(a)(field!), valuesOf(b)(field!)));
    return found.map((row) => ({ row, collection }));
  }
}

const valuesOf =
  (row: VersionRow): Values =>
  (name) => {
    const [, path] = METADATA.exec(name) ?? [];
    return path === undefined ? FIELDS[name]!(row) : valueAt(readLenient(row.metadata), path);
  };

function checkField(name: string): void {
  if (METADATA.test(name) || Object.hasOwn(FIELDS, name)) return;
  throw ValidationError.at(['variables'], `Versions have no '${name}' to find or order them by`, 'field', name);
}
