import { beforeEach, describe, expect, test } from 'vitest'
import type { Tx } from '#platform/database/transact.ts'
import { SILENT_LOGGING } from '#platform/logging/logger.ts'
import { encodeMessage, type NewEvent, tryDecodeMessage } from './event.ts'
import { createEventBus, type EventBus } from './event-bus.ts'
import type { Listener, Transport } from './transport.ts'

const EVENT: NewEvent = { name: 'feed.collected', data: { feed_id: 'x' } }
const log = SILENT_LOGGING.for('svc.worker')

/** A transaction whose end the test decides. */
function fakeTx() {
  const committed: (() => unknown)[] = []
  const unknown: (() => unknown)[] = []
  const tx = { db: {}, afterCommit: (effect) => void committed.push(effect), ifCommitUnknown: (effect) => void unknown.push(effect) } as Tx
  const run = (effects: (() => unknown)[]) => {
    for (const effect of effects) effect()
  }
  return { tx, commit: () => run(committed), lose: () => run(unknown) }
}

/** A transport in memory, which can be cut and can fail. */
function fakeTransport(when: 'in_transaction' | 'after_commit') {
  const heard = new Set<(text: string) => void>()
  const listeners = new Set<(reason: string) => void>()
  const state = { fails: false, refusesListener: false, sent: [] as string[] }
  const pass = async (text: string) => {
    if (state.fails) throw new Error('away')
    state.sent.push(text)
    for (const hear of heard) hear(text)
  }
  const transport: Transport = {
    name: 'redis',
    send: when === 'after_commit' ? { when, publish: pass } : { when, write: async (_tx, text) => void state.sent.push(text) },
    async listen(onText): Promise<Listener> {
      if (state.refusesListener) throw new Error('away')
      const { promise: lost, resolve } = Promise.withResolvers<string>()
      heard.add(onText)
      listeners.add(resolve)
      void lost.then(() => heard.delete(onText))
      return { lost, close: async () => resolve('Closed.') }
    },
  }
  const cut = () => {
    for (const lose of listeners) lose('cut')
    listeners.clear()
  }
  const arrive = (text: string) => {
    for (const hear of heard) hear(text)
  }
  return { transport, state, cut, arrive }
}

function watch(bus: EventBus) {
  const seen: string[] = []
  bus.subscribe({ onEvent: ({ data }) => seen.push(String(data['feed_id'])), onResync: () => seen.push('resync') })
  return seen
}
const settled = async () => await new Promise((resolve) => setTimeout(resolve, 5))
const schedule = { delayMs: () => 1 }
const busOver = (transport: Transport | undefined, clock = () => new Date()) => createEventBus({ transport, log, clock, schedule })

describe.each(['in_transaction', 'after_commit'] as const)('a transport that sends %s', (when) => {
  let fake: ReturnType<typeof fakeTransport>
  beforeEach(() => {
    fake = fakeTransport(when)
  })

  test('nobody is told before the commit, nor after a rollback', async () => {
    const bus = busOver(fake.transport)
    const seen = watch(bus)
    const { tx } = fakeTx()
    await bus.publish(tx, EVENT)
    await settled()
    expect(seen).toEqual([])
    if (when === 'after_commit') expect(fake.state.sent).toEqual([])
  })

  test('the own process gets the event at the commit, and its echo is not delivered again', async () => {
    const bus = busOver(fake.transport)
    const seen = watch(bus)
    await bus.listen()
    const { tx, commit } = fakeTx()
    await bus.publish(tx, EVENT)
    commit()
    expect(seen).toEqual(['x'])
    for (const text of fake.state.sent) fake.arrive(text)
    await settled()
    expect(seen).toEqual(['x'])
    await bus.close()
  })

  test('the echo may come before the commit is known here', async () => {
    const bus = busOver(fake.transport)
    const seen = watch(bus)
    await bus.listen()
    const { tx, commit } = fakeTx()
    await bus.publish(tx, EVENT)
    if (when === 'in_transaction') for (const text of fake.state.sent) fake.arrive(text)
    commit()
    await settled()
    expect(seen).toEqual(['x'])
    await bus.close()
  })

  test('a connection that is lost and comes back asks for one new reading', async () => {
    const bus = busOver(fake.transport)
    const seen = watch(bus)
    await bus.listen()
    expect(seen).toEqual([])
    fake.cut()
    await settled()
    expect(seen).toEqual(['resync'])
    await bus.close()
  })

  test('a first attempt that fails asks for a new reading once it succeeds', async () => {
    fake.state.refusesListener = true
    const bus = busOver(fake.transport)
    const seen = watch(bus)
    await bus.listen()
    await settled()
    expect(seen).toEqual([])
    fake.state.refusesListener = false
    await settled()
    expect(seen).toEqual(['resync'])
    await bus.close()
  })

  test('what is no message of this service is left alone', async () => {
    const bus = busOver(fake.transport)
    const seen = watch(bus)
    await bus.listen()
    fake.arrive('hello')
    fake.arrive('{"kind":"event","event":{}}')
    expect(seen).toEqual([])
    await bus.close()
  })

  test('a commit whose outcome is unknown', async () => {
    const bus = busOver(fake.transport)
    const seen = watch(bus)
    const { tx, lose } = fakeTx()
    await bus.publish(tx, EVENT)
    lose()
    // The notification went with the commit or not at all; what is sent afterwards cannot tell.
    expect(seen).toEqual(when === 'in_transaction' ? [] : ['resync'])
    await bus.close()
  })
})

describe('a transport that cannot send', () => {
  test('the own process gets everything, and the others are told once that they have missed something', async () => {
    const fake = fakeTransport('after_commit')
    fake.state.fails = true
    const bus = busOver(fake.transport)
    const seen = watch(bus)
    for (let count = 0; count < 3; count++) {
      const { tx, commit } = fakeTx()
      await bus.publish(tx, EVENT)
      commit()
    }
    await settled()
    expect(seen).toEqual(['x', 'x', 'x'])
    fake.state.fails = false
    await expect.poll(() => fake.state.sent.map((text) => tryDecodeMessage(text)?.kind), { timeout: 5000 }).toEqual(['lost'])
    await bus.close()
  })

  test('the word of a loss counts only when it is younger than the own connection, and not from oneself', async () => {
    const fake = fakeTransport('after_commit')
    const bus = busOver(fake.transport, () => new Date(1000))
    const seen = watch(bus)
    await bus.listen()
    fake.arrive(encodeMessage({ kind: 'lost', from: 'another', lostAtMs: 999 }))
    expect(seen).toEqual([])
    fake.arrive(encodeMessage({ kind: 'lost', from: 'another', lostAtMs: 1001 }))
    expect(seen).toEqual(['resync'])
    await bus.close()
  })
})

test('without a transport there is the own process', async () => {
  const bus = busOver(undefined)
  const seen = watch(bus)
  await bus.listen()
  const { tx, commit } = fakeTx()
  await bus.publish(tx, EVENT)
  commit()
  expect(seen).toEqual(['x'])
  await bus.close()
})
