import { type Answerer, type Fault, head, reply, startBadServer, startFaultProxy, trickle } from './bad-server.ts'

/** A feed at a host of its own, and what it does to whoever reads it. `ends`: a reader is done with it within seconds, well or not. */
export type TestFeed = { name: string; url: string; host: string; ends: boolean }
export type FeedServers = { failing: TestFeed[]; good: TestFeed[]; close(): Promise<void> }

const GOOD_ROWS = 200
/** Long enough that a kilobyte a second takes longer than any test. */
const LONG_ROWS = 20_000

const rows = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}-${n}.example.com\n`).join('')
const through = (fault: Fault, count = GOOD_ROWS) => ({ fault, answer: reply(200, rows('bad', count)) })

type Failing = { name: string; fault?: Fault; answer: Answerer; scheme?: 'https'; greeting?: string; ends: boolean }

// biome-ignore format: one case per line
const FAILING: Failing[] = [
  { name: 'latency',            ...through({ kind: 'latency', ms: 5000 }),                              ends: false },
  { name: 'a kilobyte a second', ...through({ kind: 'bandwidth', bytesPerSecond: 1000 }, LONG_ROWS),   ends: false },
  { name: 'reset',              ...through({ kind: 'reset_peer', afterBytes: 400 }),                    ends: true },
  { name: 'silence',            ...through({ kind: 'timeout' }),                                        ends: false },
  { name: 'slicer',             ...through({ kind: 'slicer', bytes: 1 }),                               ends: true },
  { name: 'truncated',          ...through({ kind: 'limit_data', bytes: 400 }),                         ends: true },
  { name: 'TLS rubbish',        answer: () => undefined, greeting: 'this is no handshake\r\n', scheme: 'https', ends: true },
  { name: 'endless',            answer: endless,                                                        ends: false },
]

/** A body that goes on for ever, a row every now and then. */
function endless(socket: Parameters<Answerer>[0]): void {
  socket.write(head(200, { 'Transfer-Encoding': 'chunked' }))
  trickle(socket, '15\r\nendless.example.com\r\n\r\n', 50)
}

/** Eight publishers that fail in eight ways, and eight good ones, each at a loopback port of its own. */
export async function startFeedServers(): Promise<FeedServers> {
  const closers: (() => Promise<void>)[] = []
  const failing: TestFeed[] = []
  const good: TestFeed[] = []
  for (const { name, fault, answer, scheme = 'http', greeting, ends } of FAILING) {
    const server = await startBadServer(answer)
    closers.push(server.close)
    if (greeting !== undefined) server.greet(greeting)
    let port = server.port
    if (fault !== undefined) {
      const proxy = await startFaultProxy(server.port)
      proxy.set(fault)
      closers.push(proxy.close)
      port = proxy.port
    }
    failing.push({ name, url: `${scheme}://127.0.0.1:${port}/list`, host: `127.0.0.1:${port}`, ends })
  }
  for (let count = 0; count < FAILING.length; count++) {
    const name = `good-${count}`
    const server = await startBadServer(reply(200, rows(name, GOOD_ROWS)))
    closers.push(server.close)
    good.push({ name, url: `${server.origin}/list`, host: server.host, ends: true })
  }
  return { failing, good, close: async () => void (await Promise.all(closers.map(async (close) => await close()))) }
}
