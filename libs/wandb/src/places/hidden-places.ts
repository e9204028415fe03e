import { ForbiddenError } from '@heddle/http';
import type { FieldResolvers, Resolvers } from '../graphql/resolvers.js';
import type { PlaceSource } from './place-source.js';

/** What is told of a place to those who see no more of it than a version that a registry links: what it is called. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  Project: ['internalId', 'entityName', 'entity', 'isBenchmark', 'readOnly'],
  ArtifactSequence: ['id', 'name', 'defaultArtifactType', 'state', 'digestAlgorithm'],
};

const placeOf = (source: PlaceSource | { project: PlaceSource }): PlaceSource =>
  'project' in source ? source.project : source;

/** The same resolvers, but for those that would lead on from a linked version into a project that the caller has no role in. */
export const guarded = (resolvers: Resolvers): Resolvers =>
  Object.fromEntries(
    Object.entries(resolvers).map(([type, fields]) => [type, NAMES[type] ? guardedType(fields, NAMES[type]) : fields]),
  );

function guardedType(fields: FieldResolvers<never>, names: readonly string[]): FieldResolvers<never> {
  const entries = Object.entries(fields).map(([name, resolve]): [string, typeof resolve] => {
    if (names.includes(name)) return [name, resolve];
    return [
      name,
      (source, args, context) => {
        const place = placeOf(source);
        if ('isHidden' in place && place.isHidden) {
          throw new ForbiddenError(`You have no role in '${place.entity}/${place.name}'`, 'missing_role');
        }
        return resolve(source, args, context);
      },
    ];
  });
  return Object.fromEntries(entries);
}
