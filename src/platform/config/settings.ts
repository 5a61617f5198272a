/**
 * Every setting of the service, once: its kind, default, whether it is a secret, and what it is for.
 * The type of `Config`, `svc config` and docs/settings.md all come from this table.
 *
 * Source: spec, "Settings read at start-up". Each is also read with the prefix `SVC_`, which wins.
 */
export const SETTINGS = {
  SECRET_KEY: secret('Signs access tokens; at least 32 characters. Unset: `svc up` makes one, except in production. `svc serve` needs it.'),
  SECRET_KEY_PREVIOUS: secret(
    'The key before SECRET_KEY: tokens that it signed are still believed. Remove it 15 minutes after the change.',
  ),
  DATABASE_URL: secret('Database of the application role. Unset: `svc up` runs an embedded PostgreSQL 16.'),
  MIGRATION_DATABASE_URL: secret('Database of the owner role: for `svc db`, and for `svc up` when the schema is behind.'),
  DATABASE_APP_ROLE: text('svc_app', 'The application role that `svc db upgrade` grants its rights to.'),
  APP_DB_PASSWORD: secret('Password that `svc db app-role --create` gives to the role.'),
  REDIS_URL: secret('Key-value store for locks and shared counters, `redis://` or `rediss://`. Unset: see STORE_IN_PROCESS.'),
  REDIS_PASSWORD: secret('Password of the key-value store, when REDIS_URL carries none.'),
  STORE_IN_PROCESS: flag(
    false,
    'Says that no REDIS_URL is meant: locks in PostgreSQL, login counters in each process. Needed in production.',
  ),
  ENVIRONMENT: choice(
    'development',
    ['production', 'development', 'test'],
    'production, development or test. `production` refuses unsafe settings, hides /docs and switches on HSTS.',
  ),
  DEBUG: flag(false, 'Logs at the level debug when LOG_LEVEL is unset; refused in production.'),
  DOCS_ENABLED: optionalFlag('Serves /docs and /openapi.json; on by default outside production.'),
  HSTS_ENABLED: optionalFlag('Sends Strict-Transport-Security; on by default in production.'),
  FORWARDED_ALLOW_IPS: text('127.0.0.1', 'Proxies whose X-Forwarded-For is believed, separated by commas.'),
  CORS_ORIGINS: text('', 'Origins of other sites that may call the API from a browser, separated by commas. `*` is refused in production.'),
  RATE_LIMIT_PER_USER: integer(600, 0, 1_000_000, 'Requests a minute of one account; 0 switches the limit off.'),
  RATE_LIMIT_PER_ADDRESS: integer(60, 0, 1_000_000, 'Requests a minute of one address without a login; 0 switches the limit off.'),
  RATE_LIMIT_EXPORTS: integer(10, 0, 1_000_000, 'Exports a minute of one account, such as reports and CSV; 0 switches the limit off.'),
  STREAMS_PER_USER: integer(5, 0, 1000, 'Live streams that one account may have open in one process; 0 switches the limit off.'),
  METRICS_TOKEN: secret('Bearer token that opens /metrics from everywhere. Unset: only the internal network may read it.'),
  HOST: text('127.0.0.1', 'Address that the API listens on.'),
  PORT: integer(8000, 0, 65_535, 'Port that the API listens on; 0 takes a free one.'),
  PUBLIC_URL: optionalText('Address under which users reach the service, when a proxy stands before it; without a password or a query.'),
  DATA_DIR: text('.svc', 'Folder of the embedded database and its secrets, relative to the working directory.'),
  WEB_DIR: optionalText('Folder of the built web interface. Unset: `web/dist` when it is built.'),
  ADMIN_PASSWORD: secret('Password of the first administrator; generated and printed once when unset.'),
  FEED_MAX_BYTES: integer(104_857_600, 1024, 10_737_418_240, 'Largest feed body after decoding, in bytes.'),
  COLLECTIONS_AT_ONCE: integer(20, 1, 100, 'Feeds that one process collects at once; of one host always one.'),
  TAXII_AUTH: secret(
    'Credentials of TAXII servers, JSON: `{"host": {"username": "…", "password": "…"}}` or `{"host": {"token": "…"}}`; `host:port` names one port. Those of a host go to that host only.',
  ),
  TAXII_CLIENT: choice('builtin', ['builtin', 'library'], 'The TAXII client. There is one: `library` means the same as `builtin`.'),
  PULSE_BASE_URL: text('https://otx.alienvault.com', 'The pulse provider. Feeds of the format PULSE may point at this host only.'),
  PULSE_API_KEY: secret('Key of the pulse provider. It goes to the host of PULSE_BASE_URL only.'),
  PULSE_MAX_PAGES: integer(100, 1, 100_000, 'Pages that one collection of a pulse feed reads; the next one goes on behind them.'),
  RISK_ALERT_THRESHOLD: integer(
    70,
    1,
    100,
    'Score from which a CVE raises an alert. A change tells nobody of what already stands above it.',
  ),
  CVE_SYNC_INTERVAL_SECONDS: integer(7200, 0, 604_800, 'How often the worker brings CVEs, KEV and EPSS up to date; 0 switches it off.'),
  VULNDB_API_URL: text('https://services.nvd.nist.gov/rest/json/cves/2.0', 'The CVE API 2.0 of NVD, or of a mirror.'),
  VULNDB_API_KEY: secret('Key of that API: ten times as fast. It goes to the host of VULNDB_API_URL only.'),
  VULNDB_INITIAL_DAYS: integer(
    120,
    1,
    36_500,
    'How far the first synchronisation looks back, days. Older CVEs come from files: `svc cves import`.',
  ),
  KEV_CATALOG_URL: text(
    'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json',
    'The catalogue of known exploited vulnerabilities.',
  ),
  EPSS_API_URL: text('https://api.first.org/data/v1/epss', 'The EPSS API, for single CVEs.'),
  EPSS_CSV_URL: text('https://epss.empiricalsecurity.com/epss_scores-current.csv.gz', 'The EPSS scores of the day, for all CVEs.'),
  ALERT_WEBHOOK_URL: secret('Address that alerts are sent to; its path may be all that it takes to write there. Unset: nobody is told.'),
  ALERT_WEBHOOK_SECRET: secret(
    'Signs the messages of the webhook (Standard Webhooks); `whsec_` and base64, or any text. Unset: they are not signed.',
  ),
  ALERT_WEBHOOK_ALLOW_INTERNAL: flag(false, 'Lets ALERT_WEBHOOK_URL be an address of the internal network, and http.'),
  OUTBOUND_ALLOW_HOSTS: text('', 'Hosts (host[:port], separated by commas) exempt from the outbound guard.'),
  OUTBOUND_ALLOW_INTERNAL: flag(false, 'Says a second time that OUTBOUND_ALLOW_HOSTS is meant; needed in production.'),
  LOG_LEVEL: optionalText('trace, debug, info, warn, error or silent. Unset: info, and warn for `svc up` on a terminal.'),
  LOG_FORMAT: optionalText('`json` or `pretty`; pretty only on a terminal. Unset: json, and pretty for `svc up` on a terminal.'),
} as const satisfies Record<string, Setting>

export type Setting = {
  kind: 'text' | 'integer' | 'flag'
  secret: boolean
  about: string
  /** The only values that are taken, in any case. */
  choices?: readonly string[]
  fallback: string | number | boolean | undefined
  min?: number
  max?: number
}
export type SettingName = keyof typeof SETTINGS

type ValueOf<S> = S extends { kind: 'integer' }
  ? number
  : S extends { kind: 'flag'; fallback: boolean }
    ? boolean
    : S extends { kind: 'flag' }
      ? boolean | undefined
      : S extends { fallback: string }
        ? string
        : string | undefined
/** The effective settings. Unset optional ones are `undefined`. */
export type Config = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> } & {
  /** Access keys of feeds: `FEED_KEY_<NAME>` fills the placeholder `{NAME}` of a feed's address. */
  readonly feedKeys: Readonly<Record<string, string>>
}

function text(fallback: string, about: string) {
  return { kind: 'text', secret: false, fallback, about } as const
}
function choice(fallback: string, choices: readonly string[], about: string) {
  return { kind: 'text', secret: false, fallback, choices, about } as const
}
function optionalText(about: string) {
  return { kind: 'text', secret: false, fallback: undefined, about } as const
}
function secret(about: string) {
  return { kind: 'text', secret: true, fallback: undefined, about } as const
}
function flag(fallback: boolean, about: string) {
  return { kind: 'flag', secret: false, fallback, about } as const
}
function optionalFlag(about: string) {
  return { kind: 'flag', secret: false, fallback: undefined, about } as const
}
function integer(fallback: number, min: number, max: number, about: string) {
  return { kind: 'integer', secret: false, fallback, min, max, about } as const
}
