import { IsLine } from '@heddle/http';
import { MAX_NAME_LENGTH } from '@heddle/projects';
import { RegistryPath } from './registry.dto.js';

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
