// How the Python tests of the engine talk to these programs: one JSON document in, one out.
import { readFileSync } from 'node:fs';

export const request = JSON.parse(readFileSync(0, 'utf8'));

export const answer = (value) => process.stdout.write(JSON.stringify(value));
