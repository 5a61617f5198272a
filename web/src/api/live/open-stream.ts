import { authorizedFetch } from '../authorized-fetch.ts'
import { BASE_URL } from '../public-api.ts'
import { isUsable, renew } from '../renewal.ts'
import { currentToken } from '../token-store.ts'
import { createStreamReader, type StreamMessage } from './event-stream.ts'
import type { StreamEnd } from './follow-stream.ts'

/** A stream that says nothing for this long is dead, ms. Source: design brief, "Live"; a heartbeat comes every 15 s. */
const SILENCE_MS = 35_000
/** Wait after a refusal that names none, ms. Source: the service asks for 15 s. */
const CROWDED_MS = 15_000

export type OpenOptions = { signal: AbortSignal; onOpen: () => void; onMessage: (message: StreamMessage) => void }

/** Opens the stream with the token of the session and reads it to its end, whatever the end is. */
export async function openStream({ signal, onOpen, onMessage }: OpenOptions): Promise<StreamEnd> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), SILENCE_MS)
  let hasExpired = false
  const hear = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_MS)
  }
  try {
    const request = new Request(`${BASE_URL}/api/v1/stream`, {
      headers: { accept: 'text/event-stream' },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    const response = await authorizedFetch(request)
    if (response.status === 429) return { why: 'crowded', retryAfterMs: waitAskedFor(response) }
    if (!isStream(response)) return { why: 'lost' }
    onOpen()
    await readMessages(response.body, hear, (message) => {
      if (message.name === 'expired') hasExpired = true
      else onMessage(message)
    })
  } catch {
    // However it broke, the answer is the same; a session that has ended is known to all who listen.
  } finally {
    clearTimeout(timer)
    // What was not read to its end would be kept open.
    silence.abort()
  }
  if (!hasExpired) return { why: 'lost' }
  await renewIfNeeded()
  return { why: 'expired' }
}

type EventStream = Response & { body: ReadableStream<Uint8Array<ArrayBuffer>> }

function isStream(response: Response): response is EventStream {
  return response.ok && response.body !== null && (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
}

async function readMessages(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  hear: () => void,
  onMessage: (message: StreamMessage) => void,
): Promise<void> {
  const pieces = body.pipeThrough(new TextDecoderStream()).getReader()
  const reader = createStreamReader()
  for (;;) {
    const { done, value } = await pieces.read()
    if (done) return
    hear()
    for (const message of reader.read(value)) onMessage(message)
  }
}

/** A page that is looked at renews its token in time; one in the background does it here. */
async function renewIfNeeded(): Promise<void> {
  const token = currentToken()
  if (token !== undefined && !isUsable(token)) await renew(token)
}

function waitAskedFor(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? '')
  return seconds > 0 ? seconds * 1000 : CROWDED_MS
}
