/**
 * Settings of the embedded server, as `name=value`. Commits are durable; `testMode` gives that up
 * for clusters that are deleted. `socketFolder`: '' for none.
 */
export function postgresSettings(testMode: boolean, socketFolder: string): string[] {
  return [
    // Local connections with the password only.
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${socketFolder && `"${socketFolder.replaceAll('"', '""')}"`}`,
    'password_encryption=scram-sha-256',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_min_messages=warning',
    // No statement, parameter or row in the log: they contain what customers have typed.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    'log_parameter_max_length_on_error=0',
    'logging_collector=off',
    'shared_buffers=128MB',
    'effective_cache_size=1GB',
    'work_mem=8MB',
    'maintenance_work_mem=64MB',
    'random_page_cost=1.1',
    'jit=off',
    // Some rows change several times within seconds; their dead versions should be removed soon.
    'autovacuum_naptime=15s',
    'autovacuum_vacuum_cost_delay=1ms',
    ...(testMode ? TEST_SETTINGS : DURABLE_SETTINGS),
  ]
}

const DURABLE_SETTINGS = [
  'max_connections=100',
  'fsync=on',
  'full_page_writes=on',
  'synchronous_commit=on',
  'wal_compression=on',
  'min_wal_size=128MB',
  'max_wal_size=1GB',
  'checkpoint_timeout=10min',
  'checkpoint_completion_target=0.9',
]

// A commit still survives a killed server, but not a power cut.
const TEST_SETTINGS = [
  'max_connections=500',
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=on',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=4GB',
  'deadlock_timeout=100ms',
]
