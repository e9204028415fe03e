import { writeFileSync, existsSync } from 'node:fs';
import { startApi } from '../support/api.js';
it('serves', async () => {
  const api = await startApi({ LOG_LEVEL: 'error' });
  const team = await api.given.team('admin');
  const user = await api.given.user({ username: 'admin', isAdmin: true, teams: [{ id: team.id, role: 'admin' }] });
  writeFileSync('/tmp/heddle-serve.json', JSON.stringify({ url: api.url, key: user.key }));
  while (existsSync('/tmp/heddle-serve.json')) await new Promise((r) => setTimeout(r, 500));
  await api.close();
}, 3_000_000);
