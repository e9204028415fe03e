import type { TaggedCollection } from '@heddle/artifacts';
import { IsLine, IsSegment, PageQuery } from '@heddle/http';
import { MAX_NAME_LENGTH } from '@heddle/projects';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { RegistryPath } from './registry.dto.js';

export class RegistryCollectionDto {
  /** @example "5f0c6f0e-7d0b-4f6e-9a53-0f8f1f0f3c11" */
  id: string;

  /**
   * Unique in the registry.
   * @example "chat-model"
   */
  name: string;

  /** @example "model" */
  type: string;

  /** @example "The model that answers in the chat." */
  description: string | null;

  /** @example ["customer-facing"] */
  tags: string[];

  /** Username of the creator. */
  created_by: string;

  created_at: Date;

  static from({ collection, tags }: TaggedCollection): RegistryCollectionDto {
    return {
      id: collection.id,
      name: collection.name,
      type: collection.type,
      description: collection.description,
      tags,
      created_by: collection.createdBy,
      created_at: collection.createdAt,
    };
  }
}

export class RegistryCollectionPath extends RegistryPath {
  /** @example "chat-model" */
  @IsLine(MAX_NAME_LENGTH)
  collection: string;
}

export class RegistryCollectionTagPath extends RegistryCollectionPath {
  /** @example "customer-facing" */
  @IsLine(MAX_NAME_LENGTH)
  tag: string;
}

export class ListRegistryCollectionsQuery extends PageQuery {
  /**
   * Only collections of this type.
   * @example "model"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  type?: string;

  /**
   * Only collections with this tag.
   * @example "customer-facing"
   */
  @IsOptional()
  @IsLine(MAX_NAME_LENGTH)
  tag?: string;
}

export class UpdateRegistryCollectionDto {
  /** @example "The model that answers in the chat." */
  @IsOptional()
  @IsString()
  @MaxLength(10_000)
  @Matches(/^[^\0\p{Cs}]*$/u, { message: '$property must be storable text' })
  description?: string | null;
}

export class CreateRegistryCollectionDto extends UpdateRegistryCollectionDto {
  /**
   * Unique in the registry, without slashes and colons.
   * @example "chat-model"
   */
  @IsSegment(MAX_NAME_LENGTH)
  name: string;

  /**
   * Only versions of this type can be linked.
   * @example "model"
   */
  @IsLine(MAX_NAME_LENGTH)
  type: string;
}
