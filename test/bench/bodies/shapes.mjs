// Bodies near the limits of their routes: what somebody sends who means well, and what a hostile one would.
const MIB = 1024 * 1024;
const nested = (levels) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
/** One small thing again and again, up to so many bytes, in a JSON list. */
const listOf = (item, bytes) =>
  `[${Array(Math.floor(bytes / (item.length + 1)))
    .fill(item)
    .join(',')}]`;

const RUN = '/v1/projects/admin/large/runs/bench';
const VERSIONS = '/v1/projects/admin/large/artifacts/bench/versions';

const point = (_, step) =>
  `{"step":${step},"metrics":{${Array.from({ length: 10 }, (__, i) => `"m${i}":0.${step}`).join(',')}}}`;
const message = '{"role":"user","content":"How do I weave a heddle?"}';
const trajectory = `{"reward":1,"messages_and_choices":[${message},{"role":"assistant","content":"Slowly."}]}`;
const call = (_, i) =>
  `{"mode":"start","req":{"start":{"project_id":"admin/large","id":"${i}","trace_id":"t","op_name":"f","started_at":"2026-01-31T12:00:00Z","attributes":{},"inputs":{"a":1}}}}`;

/** @type {{ name: string, path: string, make: () => string, atOnce?: number }[]} `MODEL` stands for a model's id */
export const SHAPES = [
  {
    name: '100,000 metrics',
    path: `${RUN}/history`,
    make: () => `{"points":[${Array.from({ length: 10_000 }, point).join(',')}]}`,
  },
  { name: '15 MiB of empty points', path: `${RUN}/history`, make: () => `{"points":${listOf('{}', 15 * MIB)}}` },
  {
    name: 'three of them at once',
    path: `${RUN}/history`,
    make: () => `{"points":${listOf('{}', 15 * MIB)}}`,
    atOnce: 3,
  },
  {
    name: 'an inline file of 11 MiB',
    path: VERSIONS,
    make: () => JSON.stringify({ files: [{ path: 'a', content: Buffer.alloc(11 * MIB, 'x').toString('base64') }] }),
  },
  { name: 'metadata of 15 MiB', path: VERSIONS, make: () => `{"metadata":{"a":${listOf('{"b":[1]}', 15 * MIB)}}}` },
  { name: 'metadata of a million levels', path: VERSIONS, make: () => `{"metadata":{"a":${nested(1e6)}}}` },
  {
    name: 'a chat of 3.9 MiB',
    path: '/v1/chat/completions',
    make: () => `{"model":"heddle/shuttle-1m","max_tokens":1,"messages":${listOf(message, 3.9 * MIB)}}`,
  },
  {
    name: 'a chat of a million levels',
    path: '/v1/chat/completions',
    make: () => `{"model":"heddle/shuttle-1m","messages":[{"role":"user","content":${nested(1e6)}}]}`,
  },
  {
    name: '30 MiB of trajectories',
    path: '/v1/preview/models/MODEL/log',
    make: () => `{"split":"val","trajectory_groups":[{"trajectories":${listOf(trajectory, 30 * MIB)}}]}`,
  },
  {
    name: '50,000 calls',
    path: '/call/upsert_batch',
    make: () => `{"batch":[${Array.from({ length: 50_000 }, call).join(',')}]}`,
  },
  {
    name: 'a query of 1 MiB',
    path: '/calls/stream_query',
    make: () => `{"project_id":"admin/large","query":{"$expr":{"$and":${listOf('{"$eq":[1,1]}', MIB)}}}}`,
  },
];
