/**
 * Every code that an expected refusal can carry, and the HTTP status it leaves the API with. One catalogue: a code that is not here does
 * not compile where it is thrown. Codes are stable; clients branch on them.
 *
 * Source: docs/decisions/0006. RFC 9110 for the statuses.
 */
export const ERROR_STATUS = {
  malformed_request: 400,
  invalid_credentials: 401,
  token_missing: 401,
  token_invalid: 401,
  token_expired: 401,
  account_disabled: 401,
  refresh_invalid: 401,
  refresh_reused: 401,
  forbidden: 403,
  origin_forbidden: 403,
  not_found: 404,
  request_timeout: 408,
  duplicate_name: 409,
  conflict: 409,
  invalid_transition: 409,
  confirmation_required: 409,
  already_collecting: 409,
  last_admin: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  batch_too_large: 422,
  password_policy: 422,
  feed_url_forbidden: 422,
  pulse_host_required: 422,
  feed_malformed: 422,
  source_malformed: 422,
  source_unreadable: 422,
  feed_key_missing: 422,
  feed_file_unreadable: 422,
  login_blocked: 429,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  setting_invalid: 500,
  migration_failed: 500,
  data_dir_in_use: 500,
  database_start_failed: 500,
  embedded_postgres_unavailable: 500,
  upstream_unavailable: 502,
  database_unavailable: 503,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof ERROR_STATUS

/** The title of a problem answer, one per status. */
export const STATUS_TITLE: Record<(typeof ERROR_STATUS)[ErrorCode], string> = {
  400: 'Malformed request',
  401: 'Not logged in',
  403: 'Not allowed',
  404: 'Not found',
  408: 'Too slow',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported content type',
  422: 'Refused input',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Internal error',
  502: 'Upstream unavailable',
  503: 'Database unavailable',
}
