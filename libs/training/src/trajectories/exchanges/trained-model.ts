import { parseArtifactRef } from '@heddle/artifacts';

/** Tells the model that is trained from others that a rollout asked, a judge for one. */
export class TrainedModel {
  constructor(
    private readonly ref: { model: { name: string; baseModel: string }; project: { entity: string; name: string } },
  ) {}

  /** Whether a recorded model's name is this one's, whichever its checkpoint. */
  isNamed(name: string | null): boolean {
    const { model, project } = this.ref;
    try {
      const ref = parseArtifactRef(name ?? '', []);
      return ref.entity === project.entity && ref.project === project.name && ref.collection === model.name;
    } catch {
      return false;
    }
  }

  /** What answers under this name is the model before its first step. */
  isBase(name: string | null): boolean {
    return name === this.ref.model.baseModel;
  }
}
