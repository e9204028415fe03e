import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { Env } from '@heddle/config';

const FOLDER = 'deploy/kubernetes';

interface Probe {
  httpGet: { path: string; port: string };
}
interface Container {
  command: string[];
  envFrom: ({ configMapRef: { name: string } } | { secretRef: { name: string } })[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string }[];
}
interface Pod {
  terminationGracePeriodSeconds: number;
  securityContext: Record<string, unknown>;
  containers: Container[];
  volumes: { name: string; persistentVolumeClaim?: { claimName: string } }[];
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  data: Record<string, string>;
  stringData: Record<string, string>;
  resources: string[];
  spec: { template: { metadata: { labels: object }; spec: Pod }; selector: object; ports: { targetPort: string }[] };
}

const manifests = readdirSync(FOLDER).flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => document.toJS() as Manifest),
);
const find = (kind: string, name?: string): Manifest =>
  manifests.find(({ kind: each, metadata }) => each === kind && (name === undefined || metadata.name === name))!;

const pods = ['heddle-api', 'heddle-worker'].map((name) => find('Deployment', name).spec.template.spec);
const containers = pods.map(({ containers: [container] }) => container!);
const settings = find('ConfigMap').data;
const secrets = find('Secret').stringData;
const env = Env.from({
  ...settings,
  ...secrets,
  ADMIN_API_KEY: 'k'.repeat(40),
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
});

describe('deploy/kubernetes', () => {
  it('names settings that there are, the secret ones in the secret alone', () => {
    const known = readFileSync('.env.example', 'utf8');
    for (const name of Object.keys(settings)) expect(known).toContain(`\n${name}=`);
    // PostgreSQL's own driver reads PGPASSWORD.
    const ours = Object.keys(secrets).filter((name) => name !== 'PGPASSWORD');
    for (const name of ours) expect(known).toContain(`\n${name}=`);
    expect(Object.keys(settings).filter((name) => /KEY|TOKEN|PASSWORD|DATABASE_URL/.test(name))).toEqual([]);
    for (const { envFrom } of containers)
      expect(envFrom).toEqual([{ configMapRef: { name: 'heddle' } }, { secretRef: { name: 'heddle' } }]);
  });

  it('gives both processes time to drain and to end', () => {
    for (const pod of pods)
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(env.DRAIN_SECONDS + env.SHUTDOWN_TIMEOUT_SECONDS);
  });

  it('asks for their health where they answer', () => {
    const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: object };
    for (const { startupProbe, livenessProbe, readinessProbe } of containers) {
      const asked = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
      expect(asked.map(({ path }) => path)).toEqual(['/health/live', '/health/live', '/health/ready']);
      for (const { path } of asked) expect(paths).toHaveProperty([path]);
    }
    expect(containers.map(({ ports }) => ports[0])).toEqual([
      { name: 'http', containerPort: env.PORT },
      { name: 'http', containerPort: env.WORKER_PORT },
    ]);
    expect(find('Service').spec.ports[0]!.targetPort).toBe('http');
    expect(find('Service').spec.selector).toEqual(find('Deployment', 'heddle-api').spec.template.metadata.labels);
  });

  it('lets them write to their data and /tmp alone, as nobody in particular', () => {
    for (const [index, container] of containers.entries()) {
      expect(pods[index]!.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([env.DATA_DIR, '/tmp']);
      expect(pods[index]!.volumes[0]!.persistentVolumeClaim!.claimName).toBe(
        find('PersistentVolumeClaim').metadata.name,
      );
    }
  });

  it('runs what the image holds, and applies every file but the example of a secret', () => {
    const build = readFileSync('Dockerfile', 'utf8');
    expect(build).toContain('USER 1000:1000');
    expect(containers.map(({ command }) => command)).toEqual([
      ['node', 'dist/apps/api/src/main.js'],
      ['node', 'dist/apps/worker/src/main.js'],
    ]);
    const applied = readdirSync(FOLDER).filter((file) => !['kustomization.yaml', 'secret.example.yaml'].includes(file));
    const listed = manifests.find(({ kind }) => kind === 'Kustomization')!.resources;
    expect(listed.toSorted()).toEqual(applied.toSorted());
  });
});
