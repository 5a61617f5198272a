/** One message of an event stream: its name, `message` when it has none, and the text of its data. */
export type StreamMessage = { name: string; data: string }

export type StreamReader = {
  /** The messages that `text`, the next piece of the stream, completes. @throws RangeError at a line or a message that has no end */
  read(text: string): StreamMessage[]
}

/** Longest message that is taken, characters. Assumption: eight times the service's longest, 8000 bytes. */
const MAX_CHARACTERS = 65_536

/** Reads an event stream as it arrives, in pieces of any size. Source: WHATWG HTML, "Interpreting an event stream". */
export function createStreamReader(): StreamReader {
  let line = ''
  let endedWithReturn = false
  let name = ''
  let data: string[] = []
  let size = 0

  function take(complete: string): StreamMessage | undefined {
    if (complete === '') return dispatch()
    const colon = complete.indexOf(':')
    // A line that begins with a colon is a comment, such as a heartbeat.
    const field = colon === -1 ? complete : complete.slice(0, colon)
    const value = colon === -1 ? '' : complete.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
    size += complete.length
    return undefined
  }

  function dispatch(): StreamMessage | undefined {
    const message = data.length === 0 ? undefined : { name: name === '' ? 'message' : name, data: data.join('\n') }
    name = ''
    data = []
    size = 0
    return message
  }

  return {
    read(text) {
      if (text === '') return []
      // A line may end with the last character of one piece and the first of the next.
      const rest = endedWithReturn && text.startsWith('\n') ? text.slice(1) : text
      endedWithReturn = text.endsWith('\r')
      const lines = (line + rest).split(/\r\n|\n|\r/)
      line = lines.pop() ?? ''
      const messages = lines.map(take).filter((message) => message !== undefined)
      if (line.length + size > MAX_CHARACTERS) throw new RangeError('A message of the event stream does not end.')
      return messages
    },
  }
}
