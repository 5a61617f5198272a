import { describe, expect, it } from 'vitest'
import { createStreamReader } from './event-stream.ts'

function readAll(pieces: readonly string[]) {
  const reader = createStreamReader()
  return pieces.flatMap((piece) => reader.read(piece)).map(({ name, data }) => `${name}=${data}`)
}

describe('the reader of an event stream', () => {
  it.each([
    ['a named message', ['event: feed.collected\ndata: {"a":1}\n\n'], ['feed.collected={"a":1}']],
    ['a message without a name', ['data: x\n\n'], ['message=x']],
    ['several lines of data as one text', ['data: x\ndata: y\n\n'], ['message=x\ny']],
    ['comments, which say nothing', [': heartbeat\n\n: connected\nretry: 3000\n\n'], []],
    ['a name without data, which says nothing', ['event: resync\n\ndata: x\n\n'], ['message=x']],
    ['a field without a colon', ['data\n\n'], ['message=']],
    ['a value without the blank, and only the first blank', ['data:x\n\ndata:  y\n\n'], ['message=x', 'message= y']],
    ['fields that nobody knows', ['id: 7\nfoo: bar\ndata: x\n\n'], ['message=x']],
    ['line ends of each kind', ['data: a\r\n\r\ndata: b\r\rdata: c\n\n'], ['message=a', 'message=b', 'message=c']],
    ['a line end that is cut in the middle', ['data: a\r', '\n\r', '\ndata: b\n\n'], ['message=a', 'message=b']],
    ['a return that stands alone at the end of a piece', ['data: a\r', 'data: b\r', '\rdata: c\n\n'], ['message=a\nb', 'message=c']],
    ['nothing of a message that did not end', ['data: a\n'], []],
    ['colons inside the data', ['data: {"at":"10:00"}\n\n'], ['message={"at":"10:00"}']],
  ])('takes %s', (_what, pieces, messages) => {
    expect(readAll(pieces)).toEqual(messages)
  })

  it('gives the same messages however the stream is cut', () => {
    const stream = ': hello\r\n\r\nevent: a\r\ndata: 1\r\n\r\nevent: b\ndata: 2\ndata: 3\n\ndata: 4\r\r'
    const whole = readAll([stream])
    expect(whole).toEqual(['a=1', 'b=2\n3', 'message=4'])
    for (let size = 1; size < stream.length; size++) {
      expect(readAll(stream.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])).toEqual(whole)
    }
  })

  it.each([
    ['a line', ['x'.repeat(70_000)]],
    ['a message', Array.from({ length: 1000 }, () => `data: ${'x'.repeat(100)}\n`)],
  ])('gives up on %s that does not end', (_what, pieces) => {
    expect(() => readAll(pieces)).toThrow(RangeError)
  })
})
