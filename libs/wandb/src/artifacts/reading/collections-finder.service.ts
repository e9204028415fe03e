import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { CollectionNotFoundError, CollectionsRepository, type TaggedCollection } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { ArtifactCollection } from '@heddle/database';
import { ValidationError } from '@heddle/http';
import { isUUID } from 'class-validator';
import type { DataSource } from 'typeorm';
import { readFilter, type Values } from '../../filters/mongo-filter.js';
import { orderOf } from '../../filters/mongo-values.js';
import { ownerOf, type PlaceSource, REGISTRY_PREFIX } from '../../places/place-source.js';
import { PlacesService } from '../../places/places.service.js';
import { collectionSource, type CollectionSource } from '../artifact-source.js';

const PAGE = 1000;

export interface ListArgs {
  filters?: string | null;
  /** `+name`, `-created_at`; without a sign, upwards. */
  order?: string | null;
}

const FIELDS: Readonly<Record<string, (tagged: TaggedCollection) => unknown>> = {
  id: ({ collection }) => collection.id,
  artifact_collection_id: ({ collection }) => collection.id,
  name: ({ collection }) => collection.name,
  type: ({ collection }) => collection.type,
  description: ({ collection }) => collection.description,
  tag: ({ tags }) => tags,
  tags: ({ tags }) => tags,
  created_at: ({ collection }) => collection.createdAt,
  createdAt: ({ collection }) => collection.createdAt,
  updated_at: ({ collection }) => collection.createdAt,
  updatedAt: ({ collection }) => collection.createdAt,
};

/** Collections of projects and registries. */
@Injectable()
export class CollectionsFinderService {
  constructor(
    private readonly places: PlacesService,
    private readonly collections: CollectionsRepository,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** All that pass the filter; the newest first where nothing else is asked for. */
  async list<Place extends PlaceSource>(
    place: Place,
    { filters, order, type }: ListArgs & { type?: string },
  ): Promise<CollectionSource<Place>[]> {
    const { test, names } = readFilter(filters);
    const [, sign, field] = /^([+-]?)(.+)$/s.exec(order ?? '-created_at') ?? ['', '-', 'created_at'];
    for (const name of [...names, field!]) checkField(name);
    const found: TaggedCollection[] = [];
    for (let after: string | undefined; ;) {
      const query = { limit: PAGE, order: 'asc' as const, ...(after && { after }) };
      const page = (await this.collections.findPage(ownerOf(place), type ? { type } : {}, query)).slice(0, PAGE);
      found.push(...page.filter((tagged) => test(valuesOf(tagged))));
      if (page.length < PAGE) break;
      after = page.at(-1)!.collection.id;
    }
    const direction = sign === '-' ? -1 : 1;
    found.sort((a, b) => direction * orderOf(valuesOf(a)(field!), valuesOf(b)(field!)));
    return found.map(({ collection }) => collectionSource(collection, place));
  }

  /** By its id, for those who may see it. Another team's is as one that doesn't exist. */
  async get(caller: Principal, id: string): Promise<CollectionSource> {
    const found = isUUID(id)
      ? await this.dataSource.manager.findOne(ArtifactCollection, {
          where: { id },
          relations: { project: { team: true }, registry: { team: true } },
        })
      : null;
    const team = found?.project?.team ?? found?.registry?.team;
    const name = found?.project?.name ?? `${REGISTRY_PREFIX}${found?.registry?.name ?? ''}`;
    const place = found && team ? await this.places.find(caller, team.name, name) : null;
    if (!found || !place) throw new CollectionNotFoundError(id, 'places of yours');
    return collectionSource(found, place);
  }

  /** Kinds of artifacts that a place has collections of, each as old as its first one. */
  async types(place: PlaceSource): Promise<{ name: string; createdAt: Date }[]> {
    const types = new Map<string, Date>();
    for (const { entity } of await this.list(place, { order: '-created_at' })) types.set(entity.type, entity.createdAt);
    return [...types].map(([name, createdAt]) => ({ name, createdAt })).sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

const valuesOf =
  (tagged: TaggedCollection): Values =>
  (name) =>
    FIELDS[name]!(tagged);

function checkField(name: string): void {
  if (Object.hasOwn(FIELDS, name)) return;
  throw ValidationError.at(['variables'], `Collections have no '${name}' to find or order them by`, 'field', name);
}
