import { afterEach, describe, expect, it, vi } from 'vitest'

type Request = (name: string, options: { signal: AbortSignal }, lead: () => Promise<void>) => Promise<void>

/** Locks as browsers give them: one holder a name, the others wait in turn, and a wait can be called off. */
function fakeLocks(): { request: Request } {
  let last: Promise<void> = Promise.resolve()
  return {
    async request(_name, { signal }, lead) {
      const before = last
      const mine = Promise.withResolvers<void>()
      last = before.then(() => mine.promise)
      const calledOff = new Promise<'off'>((resolve) => signal.addEventListener('abort', () => resolve('off')))
      if ((await Promise.race([before, calledOff])) === 'off') {
        mine.resolve()
        throw new DOMException('The wait was called off.', 'AbortError')
      }
      await lead().finally(mine.resolve)
    },
  }
}

async function tabsWith(locks: { request: Request } | undefined) {
  vi.resetModules()
  vi.stubGlobal('navigator', { locks })
  return await import('./live-tabs.ts')
}

/** A tab that leads until it is told to stop. */
function tab(name: string, log: string[]) {
  const done = Promise.withResolvers<void>()
  const lead = async () => {
    log.push(`${name} leads`)
    await done.promise
  }
  return { lead, leave: done.resolve, signal: new AbortController() }
}

const settled = async () => await new Promise((resolve) => setTimeout(resolve, 5))

afterEach(() => vi.unstubAllGlobals())

describe('leadAlone', () => {
  it('lets one tab lead at a time, and the next one as soon as it is gone', async () => {
    const { leadAlone } = await tabsWith(fakeLocks())
    const log: string[] = []
    const [first, second] = [tab('first', log), tab('second', log)]
    void leadAlone(first.lead, first.signal.signal)
    void leadAlone(second.lead, second.signal.signal)
    await settled()
    expect(log).toEqual(['first leads'])
    first.leave()
    await settled()
    expect(log).toEqual(['first leads', 'second leads'])
  })

  it('passes over a tab that waits no longer, without a word', async () => {
    const { leadAlone } = await tabsWith(fakeLocks())
    const log: string[] = []
    const [first, second, third] = [tab('first', log), tab('second', log), tab('third', log)]
    void leadAlone(first.lead, first.signal.signal)
    const waiting = leadAlone(second.lead, second.signal.signal)
    void leadAlone(third.lead, third.signal.signal)
    second.signal.abort()
    await expect(waiting).resolves.toBeUndefined()
    first.leave()
    await settled()
    expect(log).toEqual(['first leads', 'third leads'])
  })

  it('lets every tab lead where a browser has no locks', async () => {
    const { leadAlone, CAN_ELECT } = await tabsWith(undefined)
    const log: string[] = []
    const [first, second] = [tab('first', log), tab('second', log)]
    void leadAlone(first.lead, first.signal.signal)
    void leadAlone(second.lead, second.signal.signal)
    await settled()
    expect(CAN_ELECT).toBe(false)
    expect(log).toEqual(['first leads', 'second leads'])
  })
})
