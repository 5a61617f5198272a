import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'

/** One message of a stream, with the time of its arrival by the monotonic clock. */
export type StreamMessage = { id: string; event: string; data: Record<string, unknown>; atMs: number }

/** A client of the stream that notes everything it gets. */
export type OpenStream = {
  status: number
  headers: IncomingMessage['headers']
  /** Body of a refusal. */
  refusal: string
  messages: StreamMessage[]
  /** Arrival of each comment, by its text. */
  comments: { text: string; atMs: number }[]
  socket: Socket | undefined
  /** Stops reading, as a browser that hangs does. */
  pause(): void
  resume(): void
  /** Bytes of the body that have arrived. */
  bytes(): number
  isEnded(): boolean
  endedAtMs(): number | undefined
  /** Waits until `wanted` holds. @throws after `limitMs` */
  until(wanted: (messages: readonly StreamMessage[]) => boolean, limitMs?: number): Promise<void>
  close(): void
}

/** Opens a stream over a real connection. @param url of the route */
export async function openStream(url: string, token: string, headers: Record<string, string> = {}): Promise<OpenStream> {
  const asking: ClientRequest = request(url, { agent: false, headers: { authorization: `Bearer ${token}`, ...headers } })
  asking.end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  asking.on('error', () => {})
  answer.on('error', () => {})
  const messages: StreamMessage[] = []
  const comments: { text: string; atMs: number }[] = []
  let text = ''
  let bytes = 0
  let endedAtMs: number | undefined
  answer.setEncoding('utf8')
  answer.on('data', (chunk: string) => {
    bytes += chunk.length
    text += chunk
    if (answer.statusCode !== 200) return
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) note(block)
  })
  answer.on('close', () => {
    endedAtMs = performance.now()
  })

  function note(block: string): void {
    const atMs = performance.now()
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      if (line.startsWith(':')) comments.push({ text: line.slice(1).trim(), atMs })
      const [, name = '', value = ''] = /^(\w+): (.*)$/s.exec(line) ?? []
      if (name !== '') fields.set(name, value)
    }
    const data = fields.get('data')
    if (data !== undefined) messages.push({ id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(data), atMs })
  }

  if (answer.statusCode !== 200) await once(answer, 'close')
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    refusal: text,
    messages,
    comments,
    socket: answer.socket,
    pause: () => void answer.pause(),
    resume: () => void answer.resume(),
    bytes: () => bytes,
    isEnded: () => endedAtMs !== undefined,
    endedAtMs: () => endedAtMs,
    async until(wanted, limitMs = 10_000) {
      const endMs = performance.now() + limitMs
      while (!wanted(messages)) {
        if (performance.now() > endMs)
          throw new Error(
            `Not within ${limitMs} ms; the stream has ${JSON.stringify(messages.slice(-5))}${endedAtMs === undefined ? '' : ' and has ended'}`,
          )
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    close: () => void asking.destroy(),
  }
}

/** Names of the messages so far, in their order. */
export function namesOf(stream: OpenStream): string[] {
  return stream.messages.map(({ event }) => event)
}
