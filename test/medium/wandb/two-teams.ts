import { startApi, type TestApi } from '../../support/api.js';
import { as, type Ask } from '../accounts/requests.js';
import { SdkArtifactClient } from './sdk-artifact-client.js';
import { SdkClient } from './sdk-client.js';

export const SECRET = 'what only the team of ada may read';

/** Ada's team with a version of `data`, and eve, who is an administrator of another. */
export class TwoTeams {
  readonly adas: SdkArtifactClient;
  readonly eves: SdkArtifactClient;
  readonly rest: Record<'ada' | 'eve', Ask>;

  private constructor(
    readonly api: TestApi,
    readonly ada: SdkClient,
    readonly eve: SdkClient,
    /** Ada's version, whose `secret.txt` is {@link SECRET}. */
    readonly version: string,
  ) {
    this.adas = new SdkArtifactClient(ada);
    this.eves = new SdkArtifactClient(eve);
    this.rest = { ada: as(api, ada.user), eve: as(api, eve.user) };
  }

  static async start(): Promise<TwoTeams> {
    const api = await startApi();
    const [ada, eve] = [await adminOfTeam(api), await adminOfTeam(api)];
    return new TwoTeams(api, ada, eve, await new SdkArtifactClient(ada).version('data', 'secret.txt', SECRET));
  }
}

async function adminOfTeam(api: TestApi): Promise<SdkClient> {
  const team = await api.given.team();
  const user = await api.given.user({ teams: [{ ...team, role: 'admin' }] });
  return new SdkClient(api, { ...user, entity: team.name });
}
