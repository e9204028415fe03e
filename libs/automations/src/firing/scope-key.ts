import type { ScopeType } from '@heddle/database';
import type { EventPlace } from '@heddle/events';

/** Names a scope in one column, whatever it is. */
export type ScopeKey = `${ScopeType}:${string}`;

export const scopeKey = (type: ScopeType, id: string | number): ScopeKey => `${type}:${id}`;

/** The scopes that an event falls into. */
export function scopesOf({ teamId, project, registry }: EventPlace): ScopeKey[] {
  return [
    scopeKey('TEAM', teamId),
    ...(project ? [scopeKey('PROJECT', project.id)] : []),
    ...(registry ? [scopeKey('REGISTRY', registry.id)] : []),
  ];
}
