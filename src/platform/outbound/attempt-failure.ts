/** Why a download ended without a body. Closed: every code has a sentence below. */
export type OutboundCode =
  | 'url_forbidden'
  | 'address_forbidden'
  | 'feed_key_missing'
  | 'dns_failed'
  | 'connect_failed'
  | 'tls_failed'
  | 'timeout'
  | 'reset'
  | 'truncated'
  | 'bad_response'
  | 'too_large'
  | 'bad_encoding'
  | 'http_status'
  | 'rate_limited'
  | 'too_many_redirects'
  | 'redirect_forbidden'
  | 'spool_failed'
  | 'aborted'

/** What a sentence may name. Nothing here comes from the body or the headers of an answer. */
export type FailureFacts = {
  /** Host and port of the hop that failed. */
  host?: string
  /** A reason written in this folder, or the system's code (`ECONNREFUSED`, `CERT_HAS_EXPIRED`). */
  detail?: string
  status?: number
  retryAfterMs?: number
}

/** Codes after which another try may succeed. Source: spec, "Feed status", network retry attempts. */
const RETRIED: ReadonlySet<OutboundCode> = new Set([
  'dns_failed',
  'connect_failed',
  'tls_failed',
  'timeout',
  'reset',
  'truncated',
  'bad_response',
])
const SERVER_ERROR_STATUS = 500

const SENTENCES: Record<OutboundCode, (facts: { host: string; detail: string; status: number }) => string> = {
  url_forbidden: ({ detail }) => `The address is not allowed. ${detail}`,
  address_forbidden: ({ host }) =>
    `${host} resolves to an internal or otherwise non-global address and was not contacted. If the host is yours, add it to OUTBOUND_ALLOW_HOSTS.`,
  feed_key_missing: ({ detail }) => detail,
  dns_failed: ({ host, detail }) =>
    `The name of ${host} could not be resolved (${detail}). Check the address and the name servers of this machine.`,
  connect_failed: ({ host, detail }) =>
    `${host} could not be reached (${detail}). Check that the server is up and that a firewall lets this machine out.`,
  tls_failed: ({ host, detail }) => `A secure connection to ${host} could not be made (${detail}). Check the certificate of the server.`,
  timeout: ({ host, detail }) => `${host} took too long (${detail}). It will be tried again at the next collection.`,
  reset: ({ host, detail }) => `${host} broke the connection off (${detail}). It will be tried again at the next collection.`,
  truncated: ({ host, detail }) =>
    `The answer of ${host} was not complete (${detail}), so none of it was used. It will be tried again at the next collection.`,
  bad_response: ({ host, detail }) => `${host} did not answer in valid HTTP (${detail}). Check that the address is a web address.`,
  too_large: ({ host, detail }) => `The answer of ${host} is larger than ${detail} bytes. Raise FEED_MAX_BYTES or choose a smaller list.`,
  bad_encoding: ({ host, detail }) => `The answer of ${host} could not be unpacked (${detail}). Report it to the publisher of the list.`,
  http_status: ({ host, status }) => `${host} answered with status ${status}. ${statusAdvice(status)}`,
  rate_limited: ({ host }) =>
    `${host} says that it is asked too often (status 429). It will be asked again after the wait that it named; consider a longer interval.`,
  too_many_redirects: ({ host, detail }) => `${host} redirected more than ${detail} times. Use the final address of the list.`,
  redirect_forbidden: ({ host, detail }) => `${host} redirected to a place that is not allowed. ${detail}`,
  spool_failed: ({ detail }) => `The answer could not be written to the temporary folder (${detail}). Check its free space and rights.`,
  aborted: () => 'The download was stopped because the service is stopping.',
}

function statusAdvice(status: number): string {
  if (status === 401 || status === 403) return 'Check the access key and whether this machine is allowed to read the list.'
  if (status === 404 || status === 410) return 'The list has moved or ended; look for its new address.'
  if (status >= SERVER_ERROR_STATUS) return 'The server has a problem of its own; it will be tried again at the next collection.'
  return 'Check the address.'
}

/** A failure of one attempt, inside this folder. Carries facts only, so no text of the other side can leak through it. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure'
  readonly code: OutboundCode
  readonly facts: FailureFacts

  constructor(code: OutboundCode, facts: FailureFacts = {}) {
    super(code)
    this.code = code
    this.facts = facts
  }

  get isRetried(): boolean {
    return RETRIED.has(this.code) || (this.code === 'http_status' && (this.facts.status ?? 0) >= SERVER_ERROR_STATUS)
  }
}

/** The failure as one sentence for a person that says what to do; not masked yet. */
export function failureSentence({ code, facts }: AttemptFailure): string {
  const { host = 'The server', detail = 'no detail', status = 0 } = facts
  return SENTENCES[code]({ host, detail, status })
}
