/**
 * Settings of the embedded server, as `name=value`. Durability stays as PostgreSQL ships it (fsync, full_page_writes and
 * synchronous_commit on): this is a till. `testMode` gives that up for clusters that are thrown away.
 */
export function serverSettings(testMode: boolean): string[] {
  return [
    // Only this machine, only with the password; a socket file would need a short path.
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'password_encryption=scram-sha-256',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_min_messages=warning',
    'logging_collector=off',
    'shared_buffers=128MB',
    'effective_cache_size=1GB',
    'work_mem=8MB',
    'maintenance_work_mem=64MB',
    'random_page_cost=1.1',
    'jit=off',
    // Label rows change state a few times within seconds; their dead versions should go soon.
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

// A commit is still written before it is answered, so it survives the killing of the server, though not of the machine.
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
