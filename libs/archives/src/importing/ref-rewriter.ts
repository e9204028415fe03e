/** Slashes, as JSON in JSON may write them too. */
const SLASH = String.raw`\\*/`;
const SCHEMES = 'weave|wandb-artifact|wandb-run';
const VERSION_ID =
  /(wandb-artifact:\/\/|birthArtifactID\\*":\s*\\*")([\da-f]{48}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/g;

export interface Move {
  /** `entity/project`. */
  from: string;
  to: string;
  /** Ids of versions by those that they had. */
  versions: ReadonlyMap<string, string>;
}

/**
 * Writes references to the project, and to its versions by id, as they are in its new place. Of everything else each byte
 * stays what it is.
 * @returns a function of text in which each character is a byte
 */
export function refRewriter({ from, to, versions }: Move): (bytes: string) => string {
  const project = new RegExp(`((?:${SCHEMES}):${SLASH}${SLASH}${SLASH})(?:${formsOf(from).join('|')})(?=[\\\\/])`, 'g');
  const newProject = inBytes(quoted(to));
  const byHex = new Map([...versions].map(([old, fresh]) => [hexOf(old), hexOf(fresh)]));
  return (bytes) => {
    let text = from === to ? bytes : bytes.replace(project, (_all, prefix: string) => prefix + newProject);
    if (versions.size > 0 && /wandb-artifact:\/\/|birthArtifactID/.test(text)) {
      text = text.replace(VERSION_ID, (all, prefix: string, id: string) => {
        const fresh = versions.get(id) ?? byHex.get(id);
        return fresh === undefined ? all : prefix + fresh;
      });
    }
    return text;
  };
}

/** A version's id inside the SDK's references: the bytes of what it reads as Base64, in hex. */
export const hexOf = (id: string): string => Buffer.from(id.replaceAll('-', ''), 'base64').toString('hex');

const inBytes = (text: string): string => Buffer.from(text).toString('latin1');
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const quoted = (place: string): string => place.split('/').map(encodeURIComponent).join('/');

/** As they are, and as clients quote them in URLs. */
function formsOf(place: string): string[] {
  const [entity, project] = place.split('/') as [string, string];
  const forms = [
    [entity, project],
    [encodeURIComponent(entity), encodeURIComponent(project)],
  ];
  return [...new Set(forms.map((parts) => parts.map((part) => escaped(inBytes(part))).join(SLASH)))];
}
