import type { GraphQLSchema } from 'graphql';
import type { Changed } from '@heddle/audit';
import { refOf } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { isUuid } from '@heddle/database';
import type { ArtifactSource, CollectionSource } from '../artifacts/artifact-source.js';
import { isRegistry, type PlaceSource } from '../places/place-source.js';
import type { RunSource } from '../runs/run-source.js';
import type { GraphqlContext } from './graphql-context.js';

type Input = Record<string, unknown>;

/** What mutations answer with, as far as it says what was changed. */
interface Answer {
  artifact?: ArtifactSource;
  artifactCollection?: CollectionSource;
  artifactMembership?: Pick<ArtifactSource, 'row'>;
  bucket?: RunSource;
  inserted?: boolean;
  model?: PlaceSource;
  rewoundRun?: RunSource;
  run?: RunSource;
}

const OF_A_DRAFT = 'It belongs to a draft: what becomes of that is written down when it is committed.';

/** What leaves no entry in the audit log, and why: programs send it all day, or nothing comes of it. Everything else does. */
export const UNAUDITED: Readonly<Record<string, string>> = {
  createArtifactFiles: OF_A_DRAFT,
  createArtifactManifest: OF_A_DRAFT,
  createRunFiles: 'It asks where to upload what a run writes.',
  markRunFilesUploaded: 'It says nothing new.',
  moveArtifactSequence: 'It is refused.',
  notifyScriptableRunAlert: 'A run says so; it is kept as an event.',
  renameProject: 'It is refused.',
  updateArtifactManifest: OF_A_DRAFT,
  useArtifact: 'A run says what it reads; it is kept as lineage.',
};

/** A run that begins or goes on says so by its name, and all that it is configured with; who names its id changes it. */
const isChange = (name: string, input: Input): boolean => name !== 'upsertBucket' || Boolean(input['id']);

/** Lets every mutation that changes something write down who did so. */
export function auditMutations(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, field] of Object.entries(schema.getMutationType()!.getFields())) {
    const change = field.resolve;
    if (!change || name in UNAUDITED) continue;
    field.resolve = async (root, args: { input: Input }, context: GraphqlContext, info) => {
      const { audit, caller, requestId } = context;
      const { input } = args;
      const does = async (): Promise<unknown> => change(root, args, context, info);
      if (!isChange(name, input)) return does();
      const action = `Graphql_${name}`;
      const facts = { caller, requestId, action, method: 'POST', path: '/graphql', fields: fieldsOf(input) };
      return audit.record({ ...facts, team: hintsOf(input, caller) }, does, (answer) =>
        changedBy(answer as Answer, input),
      );
    };
  }
  return schema;
}

/** Clients send null for what they leave alone. */
const fieldsOf = (input: Input): string[] =>
  Object.keys(input)
    .filter((key) => input[key] !== null && !/^clientMutationI[dD]$/.test(key))
    .toSorted();

function hintsOf(input: Input, { defaultTeam }: Principal): { names: string[]; ids: string[] } {
  const values = Object.values(input).flat();
  const texts = values.filter((value) => typeof value === 'string');
  // A file of a run goes by `run:path`.
  const ids = texts.map((text) => text.split(':')[0]!).filter(isUuid);
  const places = [input, ...values].map((each) => (each as Input | null)?.['entityName']);
  const names = places.filter((each): each is string => typeof each === 'string' && each !== '');
  return { names: names.length + ids.length > 0 || !defaultTeam ? names : [defaultTeam], ids };
}

function changedBy(answer: Answer, input: Input): Changed | null {
  const { artifact, artifactMembership, artifactCollection: collection, model, inserted } = answer;
  const version = artifact ?? artifactMembership;
  // A draft is no change yet; what had the same content has got aliases.
  if (version) return version.row.index === null ? null : { subject: refOf(version.row) };
  if (model) return inserted || isRegistry(model) ? { subject: `${model.entity}/${model.name}` } : null;
  if (collection)
    return { subject: `${collection.project.entity}/${collection.project.name}/${collection.entity.name}` };
  const source = answer.run ?? answer.bucket ?? answer.rewoundRun;
  if (source) return { subject: `${source.project.entity}/${source.project.name}/${source.run.name}` };
  const named = ['id', 'artifactID', 'projectId', 'artifactCollectionName', 'files'].map((key) => input[key]);
  const subject = named.flat().find((each) => typeof each === 'string');
  return { subject: typeof subject === 'string' ? subject : null };
}
