import { IsLine, IsSegment, PageQuery } from '@heddle/http';
import { MAX_NAME_LENGTH } from '@heddle/projects';
import { IsTtl } from '../versions/time-to-live.js';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import type { TaggedCollection } from './collections.repository.js';

const MAX_DESCRIPTION_LENGTH = 10_000;

/** Of a project, or of a registry. */
export class CollectionDto {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  id: string;

  /**
   * Unique in its project or registry.
   * @example "chat-model"
   */
  name: string;

  /** @example "model" */
  type: string;

  /** @example "The agent that answers mail." */
  description: string | null;

  /** @example ["reviewed"] */
  tags: string[];

  /**
   * For how long versions stay that don't say so, in seconds; 0: for good; null: as the team says.
   * @example 2592000
   */
  ttl_seconds: number | null;

  /**
   * Username of the creator.
   * @example "ada"
   */
  created_by: string;

  created_at: Date;

  static from({ collection, tags }: TaggedCollection): CollectionDto {
    return {
      id: collection.id,
      name: collection.name,
      type: collection.type,
      description: collection.description,
      tags,
      ttl_seconds: collection.ttlSeconds === null ? null : Number(collection.ttlSeconds),
      created_by: collection.createdBy,
      created_at: collection.createdAt,
    };
  }
}

export class CollectionsPath {
  /**
   * The team that owns the project.
   * @example "weavers"
   */
  @IsLine(MAX_NAME_LENGTH)
  entity: string;

  /** @example "loom" */
  @IsLine(MAX_NAME_LENGTH)
  project: string;
}

export class CollectionPath extends CollectionsPath {
  /** @example "chat-model" */
  @IsLine(MAX_NAME_LENGTH)
  collection: string;
}

export class CollectionTagPath extends CollectionPath {
  /** @example "reviewed" */
  @IsLine(MAX_NAME_LENGTH)
  tag: string;
}

export class ListCollectionsQuery extends PageQuery {
  /**
   * Only collections of this type.
   * @example "model"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  type?: string;

  /**
   * Only collections with this tag.
   * @example "reviewed"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  tag?: string;
}

export class UpdateCollectionDto {
  /** @example "The agent that answers mail." */
  @IsOptional()
  @IsString()
  @MaxLength(MAX_DESCRIPTION_LENGTH)
  @Matches(/^[^\0\p{Cs}]*$/u, { message: '$property must be storable text' })
  description?: string | null;
}

export class CreateCollectionDto extends UpdateCollectionDto {
  /**
   * Unique in its project or registry, without slashes and colons.
   * @example "chat-model"
   */
  @IsSegment(MAX_NAME_LENGTH)
  name: string;

  /**
   * What its versions are: those of other types can't be linked.
   * @example "model"
   */
  @IsLine(MAX_NAME_LENGTH)
  type: string;
}

export class UpdateProjectCollectionDto extends UpdateCollectionDto {
  /**
   * For how long versions stay that don't say so, in seconds from when they were made; 0: for good; null: as the team says.
   * @example 2592000
   */
  @IsTtl()
  ttl_seconds?: number | null;
}
