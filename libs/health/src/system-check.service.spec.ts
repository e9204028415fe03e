import { isHealthy } from './system-check.service.js';

const works = { success: true, duration: 0.01, errors: [] };
const fails = { success: false, duration: 1, errors: ['no worker answered'] };
const server = { kind: 'trainer', base_model: 'team/there' };
const whole = { api: true, database: true, cpu_queue: works, gpu_queue: works };

describe('a system', () => {
  it.each([whole, { ...whole, servers: [{ ...server, ...works }] }])('is healthy where all works', (check) => {
    expect(isHealthy(check)).toBe(true);
  });

  it.each([
    { ...whole, database: false },
    { ...whole, cpu_queue: fails },
    { ...whole, gpu_queue: fails },
    {
      ...whole,
      servers: [
        { ...server, ...works },
        { ...server, ...fails },
      ],
    },
  ])('is not healthy where one thing fails', (check) => {
    expect(isHealthy(check)).toBe(false);
  });
});
