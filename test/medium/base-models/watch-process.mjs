// Usage: node watch-process.mjs ROOT ID ENDPOINT. Brings a model of the hub here as the API and the worker do, and prints
// each state on a line, `whole` last. The built code: this is a process of its own.
import { HubClient } from '../../../dist/libs/base-models/src/hub/hub-client.js';
import { HubModelWatch } from '../../../dist/libs/base-models/src/hub/hub-model-watch.js';
import { ModelFolder } from '../../../dist/libs/base-models/src/hub/model-folder.js';

const [root, id, endpoint] = process.argv.slice(2);
const client = new HubClient({ endpoint, token: undefined, stallMs: 5000 });
const timing = { pollMs: 20, laterMs: 60_000, delaysMs: [10, 10], lock: { beatMs: 100, deadAfterMs: 1000 } };
const say = ({ state, done, reason }) => console.log(`${state} ${done ?? reason}`);
const watch = new HubModelWatch(client, new ModelFolder(root, id, 'main'), say, timing);
await watch.untilWhole(new AbortController().signal);
console.log('whole');
