import { Injectable } from '@nestjs/common';
import { ArtifactReader, type Incoming } from '@heddle/artifacts';
import type { Principal } from '@heddle/auth';
import { rateListProblem, SFT_SETTINGS } from '@heddle/engine';
import { ValidationError } from '@heddle/http';
import { ModelAccessService } from '@heddle/models';
import { readSftSettings } from '../job-settings.reader.js';
import { readMetricLogging } from './metric-logging.js';
import { SftFilesReader } from './sft-files.reader.js';
import { SftUploadsService } from './sft-uploads.service.js';
import { type SftReference, writeReference } from './sft-reference.js';
import type { JobWithWarnings } from '../training-job.dto.js';
import { TrainingJobsService } from '../training-jobs.service.js';

export interface SftRequest {
  modelId: string;
  trainingDataUrl: string;
  config: Record<string, unknown> | null | undefined;
  /** Older clients' name for it. */
  experimentalConfig: Record<string, unknown> | null | undefined;
  requestKey: string | null;
}

const URL_PLACE = ['body', 'training_data_url'];
/** What clients call the file. */
const USUAL_NAME = 'train.jsonl';
const MAX_FILES = 1000;

/** Supervised fine-tuning jobs. */
@Injectable()
export class SftJobsService {
  constructor(
    private readonly models: ModelAccessService,
    private readonly artifacts: ArtifactReader,
    private readonly uploads: SftUploadsService,
    private readonly files: SftFilesReader,
    private readonly jobs: TrainingJobsService,
  ) {}

  /** Of data that is there. The caller needs a role in its project, too. */
  async create(caller: Principal, request: SftRequest): Promise<JobWithWarnings> {
    const config = {
      ...readSftSettings(request.experimentalConfig, ['body', 'experimental_config']),
      ...readSftSettings(request.config, ['body', 'config']),
    };
    readMetricLogging(config, ['body', 'config']);
    const { model } = await this.models.find(caller, request.modelId, 'member');
    const reference = await this.resolve(caller, request.trainingDataUrl);
    await this.checkRates(reference, config);
    const job = {
      modelId: model.id,
      kind: 'sft' as const,
      config: JSON.stringify(config),
      requestKey: request.requestKey,
    };
    return this.jobs.add(caller, job, async () => writeReference(reference));
  }

  /** Of data that comes with the request: JSON lines. It becomes a version of an artifact first. */
  async createFromUpload(
    caller: Principal,
    modelId: string,
    config: Record<string, unknown>,
    requestKey: string | null,
    source: Incoming,
  ): Promise<JobWithWarnings> {
    const settings = readSftSettings(config, ['query']);
    const { model, project } = await this.models.find(caller, modelId, 'member');
    return this.uploads.receive(source, SFT_SETTINGS.known(settings), async (data) => {
      const job = { modelId: model.id, kind: 'sft' as const, config: JSON.stringify(settings), requestKey };
      const { job: added, warnings } = await this.jobs.add(caller, job, async (manager) =>
        writeReference(await data.keep(manager, caller, project, model.name)),
      );
      // Before it starts a job has none of its own.
      return { job: added, warnings: warnings.length > 0 ? warnings : data.warnings };
    });
  }

  /** A list of learning rates has one for each batch: the examples are counted where there is a list. */
  private async checkRates(reference: SftReference, given: Record<string, unknown>): Promise<void> {
    const config = SFT_SETTINGS.known(given);
    if (!Array.isArray(config.learning_rate)) return;
    const examples = await this.files.countExamples(reference);
    const problem = examples === null ? null : rateListProblem(config, examples);
    if (problem !== null) throw ValidationError.at(['body', 'config', 'learning_rate'], problem, 'config_value');
  }

  private async resolve(caller: Principal, url: string): Promise<SftReference> {
    const { version } = await this.artifacts.resolve(caller, url, URL_PLACE);
    const files = await this.artifacts.listFiles(version.id, undefined, MAX_FILES);
    const lines = files.map(({ path }) => path).filter((path) => path.endsWith('.jsonl'));
    const path = lines.includes(USUAL_NAME) ? USUAL_NAME : lines[0];
    if (path !== undefined && (path === USUAL_NAME || lines.length === 1)) return { url, versionId: version.id, path };
    const msg = `The artifact must hold ${USUAL_NAME}, or one .jsonl file alone; it has ${lines.length} of them`;
    throw ValidationError.at(URL_PLACE, msg, 'training_data', url);
  }
}
