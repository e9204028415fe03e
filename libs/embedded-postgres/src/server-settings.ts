/**
 * For a laptop that runs the whole product: small at rest, quick at ingest, and nothing that was committed is ever lost.
 * They are passed on the command line, so that an old data directory follows the code.
 */
export const DEFAULT_SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',

  shared_buffers: '64MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_connections: '60',
  huge_pages: 'off',
  jit: 'off',

  // Nobody replicates from here: the log need not say enough for it, and three kinds of background process can go.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  io_method: 'sync',
  autovacuum_max_workers: '2',
  max_worker_processes: '4',
  max_parallel_workers_per_gather: '2',

  // Rare checkpoints make ingest quick; 1 GB of log is some seconds of crash recovery.
  max_wal_size: '1GB',
  min_wal_size: '80MB',
  checkpoint_timeout: '15min',
  // This build has pglz only: it shortens the log by a sixth and takes that out of the speed of inserts.
  wal_compression: 'off',

  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements carry payloads and secrets: an error is logged without them.
  log_min_error_statement: 'panic',
};

/** For tests only: a database that may be lost at any moment. Pass as `settings`. */
export const DISPOSABLE_SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** The postgres arguments for these settings, with ours where the caller says nothing. */
export function settingsArguments(settings: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries({ ...DEFAULT_SETTINGS, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
