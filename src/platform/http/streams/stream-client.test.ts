import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createStreamClient, MAX_WAITING_BYTES } from './stream-client.ts'

/** An answer whose connection takes `room` bytes and then nothing until it is drained. */
class FakeResponse extends EventEmitter {
  readonly written: string[] = []
  writableLength = 0
  room: number
  constructor(room: number) {
    super()
    this.room = room
  }
  write(message: Buffer): boolean {
    this.written.push(message.toString())
    this.writableLength += message.length
    return this.writableLength < this.room
  }
  drain(): void {
    this.writableLength = 0
    this.emit('drain')
  }
}

function open(room: number) {
  const response = new FakeResponse(room)
  const client = createStreamClient(response as unknown as ServerResponse, { afterLoss: () => Buffer.from('resync') })
  return { response, client }
}
const text = (count: number) => Buffer.alloc(count, 'x')

test('messages go out in their order while the client reads', () => {
  const { response, client } = open(1000)
  for (const message of ['a', 'b', 'c']) client.send(Buffer.from(message))
  expect(response.written).toEqual(['a', 'b', 'c'])
  expect(client.stuckSinceMs()).toBeUndefined()
})

test('what waits goes out when the client reads again, in its order', () => {
  const { response, client } = open(3)
  for (const message of ['aaa', 'b', 'c', 'ddd', 'e']) client.send(Buffer.from(message))
  expect(response.written).toEqual(['aaa'])
  expect(client.stuckSinceMs()).toBeTypeOf('number')
  response.drain()
  expect(response.written).toEqual(['aaa', 'b', 'c', 'ddd'])
  response.drain()
  expect(response.written).toEqual(['aaa', 'b', 'c', 'ddd', 'e'])
  expect(client.stuckSinceMs()).toBeUndefined()
})

test('never more than the bound waits; beyond it all is dropped, and one resync follows', () => {
  const { response, client } = open(10)
  const message = text(1000)
  client.send(message)
  let most = 0
  for (let count = 0; count < 5000; count++) {
    client.send(message)
    most = Math.max(most, client.waitingBytes())
  }
  expect(most).toBeLessThanOrEqual(MAX_WAITING_BYTES)
  expect(most).toBeGreaterThan(MAX_WAITING_BYTES - 2 * message.length)
  expect(response.written).toHaveLength(1)
  response.drain()
  expect(response.written.slice(1)).toEqual(['resync'])
  client.send(Buffer.from('next'))
  expect(response.written.slice(1)).toEqual(['resync', 'next'])
})

test('a client that is still slow after its resync is bounded again', () => {
  const { response, client } = open(6)
  const flood = () => {
    for (let count = 0; count < 2000; count++) client.send(text(1000))
  }
  flood()
  response.drain()
  flood()
  expect(client.waitingBytes()).toBeLessThanOrEqual(MAX_WAITING_BYTES)
  response.drain()
  expect(response.written.slice(1)).toEqual(['resync', 'resync'])
})
