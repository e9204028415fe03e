import { createHash } from 'node:crypto';
import type { SdkClient } from './sdk-client.js';

export const md5 = (content: string): string => createHash('md5').update(content).digest('base64');

interface Place {
  entity: string;
  project: string;
}

/** Artifacts as the wandb SDK makes them, step by step. */
export class SdkArtifactClient {
  constructor(
    private readonly client: SdkClient,
    readonly place: Place = { entity: client.user.entity, project: 'loom' },
  ) {}

  /** @returns its id */
  async draft(collection: string, digest = 'd'.repeat(32)): Promise<string> {
    const query = `mutation ($input: CreateArtifactInput!) { createArtifact(input: $input) { artifact { id } } }`;
    const input = {
      ...{ entityName: this.place.entity, projectName: this.place.project, artifactTypeName: 'dataset', digest },
      artifactCollectionName: collection,
    };
    const { createArtifact } = await this.client.get<{ createArtifact: { artifact: { id: string } } }>(query, {
      input,
    });
    return createArtifact.artifact.id;
  }

  /** @returns its id and where to send it */
  async manifest(draft: string, fields: object = {}): Promise<{ id: string; uploadUrl: string }> {
    const query = `mutation ($input: CreateArtifactManifestInput!) {
      createArtifactManifest(input: $input) { artifactManifest { id file { uploadUrl } } } }`;
    const names = {
      entityName: this.place.entity,
      projectName: this.place.project,
      runName: '',
      name: 'm',
      digest: '',
    };
    const answer = await this.client.get<{
      createArtifactManifest: { artifactManifest: { id: string; file: { uploadUrl: string } } };
    }>(query, { input: { ...names, artifactID: draft, ...fields } });
    const { id, file } = answer.createArtifactManifest.artifactManifest;
    return { id, uploadUrl: file.uploadUrl };
  }

  /** Where a content is to be uploaded to; null where it is said to be there already. */
  async file(draft: string, name: string, digest: string): Promise<string | null> {
    const query = `mutation ($files: [CreateArtifactFileSpecInput!]!) {
      createArtifactFiles(input: {artifactFiles: $files}) { files { edges { node { uploadUrl } } } } }`;
    const files = [{ artifactID: draft, name, md5: digest }];
    const answer = await this.client.get<{
      createArtifactFiles: { files: { edges: { node: { uploadUrl: string | null } }[] } };
    }>(query, { files });
    return answer.createArtifactFiles.files.edges[0]!.node.uploadUrl;
  }

  /** Sends a manifest of these entries. */
  async describe(draft: string, contents: Record<string, object>, fields: object = {}): Promise<void> {
    const { uploadUrl } = await this.manifest(draft, fields);
    const sent = await fetch(uploadUrl, { method: 'PUT', body: JSON.stringify({ version: 1, contents }) });
    expect(sent.status).toBe(200);
  }

  /** @returns what was wrong with it, if anything was */
  async commit(draft: string): Promise<string | undefined> {
    const answer = await this.client.ask(
      `mutation { commitArtifact(input: {artifactID: "${draft}"}) { artifact { id } } }`,
    );
    return answer.errors?.[0]?.message;
  }

  /** A version with one file. @returns its id */
  async version(collection: string, path: string, content: string): Promise<string> {
    const draft = await this.draft(collection, createHash('md5').update(`${path}:${content}`).digest('hex'));
    const uploadUrl = await this.file(draft, path, md5(content));
    if (uploadUrl !== null) expect((await fetch(uploadUrl, { method: 'PUT', body: content })).status).toBe(200);
    await this.describe(draft, { [path]: { digest: md5(content), size: content.length } });
    expect(await this.commit(draft)).toBeUndefined();
    return draft;
  }

  /** The files of a version, each with what its address serves. */
  async contents(version: string): Promise<Record<string, string>> {
    const query = `{ artifact(id: "${version}") { files { edges { node { name directUrl } } } } }`;
    const { artifact } = await this.client.get<{
      artifact: { files: { edges: { node: { name: string; directUrl: string } }[] } };
    }>(query);
    const found = artifact.files.edges.map(async ({ node }) => [node.name, await (await fetch(node.directUrl)).text()]);
    return Object.fromEntries(await Promise.all(found)) as Record<string, string>;
  }
}
