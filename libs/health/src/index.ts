export { HealthModule, WorkerHealthModule } from './health.module.js';
export { PROBE_JOB } from './probe.handler.js';
