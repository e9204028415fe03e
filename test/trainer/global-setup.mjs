import { SkyRlServer } from './skyrl-server.mjs';

/** One server for all test files: each shape that it sees first is compiled, which takes half a minute. */
export default async function setUp() {
  const python = process.env.SKYRL_PYTHON;
  if (!python) throw new Error('SKYRL_PYTHON must name the python of an environment with skyrl-tx');
  const server = new SkyRlServer();
  globalThis.skyrl = server;
  await server.start(python);
  process.env.TRAINER_URL = server.url;
  process.env.TRAINER_BASE = server.base;
}
