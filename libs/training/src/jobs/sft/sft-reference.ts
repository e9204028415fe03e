/** Where a fine-tuning job's data is: a file of an artifact's version, which never changes. */
export interface SftReference {
  /** As the user named it. */
  url: string;
  versionId: string;
  path: string;
}

/** The text that stands in the job's row. */
export const writeReference = ({ url, versionId, path }: SftReference): string =>
  JSON.stringify({ url, versionId, path });

export const readReference = (text: string): SftReference => JSON.parse(text) as SftReference;

export const trainingDataUrlOf = (text: string): string => readReference(text).url;
