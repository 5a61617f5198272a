import { totalmem } from 'node:os'

const GIB = 1024 ** 3
const MIB = 1024 ** 2
/** Machines above this get the larger buffer, bytes. Assumption: measured on a laptop with 1.1 million indicators. */
const LARGE_MACHINE_BYTES = 8 * GIB

/** Settings of the embedded server for a machine with `memoryBytes`. Durable writes stay on. */
export function serverSettings(memoryBytes = totalmem()): Record<string, string> {
  return {
    // Loopback only, and no socket file: its path is limited to 107 bytes, which a deep data folder exceeds.
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '40',
    superuser_reserved_connections: '2',
    shared_buffers: memoryBytes > LARGE_MACHINE_BYTES ? '256MB' : '128MB',
    effective_cache_size: `${Math.floor(memoryBytes / 2 / MIB)}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    huge_pages: 'off',
    jit: 'off',
    random_page_cost: '1.1',
    synchronous_commit: 'on',
    // No replica and no archive reads this log, and a minimal one lets a bulk load into a new table skip it.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    wal_compression: 'pglz',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    autovacuum: 'on',
    autovacuum_max_workers: '2',
    autovacuum_vacuum_scale_factor: '0.1',
    autovacuum_analyze_scale_factor: '0.05',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    // The detail of a refused row would put stored values into the log.
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] %u ',
  }
}

/** Command-line form. Settings given there win over every file and over ALTER SYSTEM. */
export function toArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
