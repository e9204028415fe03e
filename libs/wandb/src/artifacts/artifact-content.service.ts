import { Injectable } from '@nestjs/common';
import type { StoredFile } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { NotFoundError } from '@heddle/http';
import { SdkArtifactsReader } from './reading/sdk-artifacts.reader.js';
import { SdkArtifactFilesRepository } from './sdk-artifact-files.repository.js';

/** Contents of versions by their MD5: only those of the version that is named, for those who may see it. */
@Injectable()
export class ArtifactContentService {
  constructor(
    private readonly reader: SdkArtifactsReader,
    private readonly files: SdkArtifactFilesRepository,
  ) {}

  async find(caller: Principal, versionId: string, md5: string): Promise<StoredFile> {
    const { row } = await this.reader.get(caller, versionId);
    const file = (await this.files.list(row.id)).find((each) => each.md5 === md5);
    if (!file) throw new NotFoundError(`The version has no file with the MD5 ${md5}`, 'file_not_found');
    return file;
  }
}
