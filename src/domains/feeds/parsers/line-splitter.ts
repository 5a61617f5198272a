/** Characters of an over-long line that are kept, to show which line it was. */
const KEPT_CHARS = 200

/** `cut`: the line was longer than allowed and only its beginning is given. */
export type OnLine = (line: string, cut: boolean) => void

/** Cuts text into lines at LF, CRLF or CR, mixed or not, over any chunk borders, holding at most `maxChars` of an unfinished one. */
export type LineSplitter = { push(text: string): void; end(): void }

/** @param maxChars a longer line is given cut, once, and its rest is dropped, so one endless line costs no memory */
export function createLineSplitter(maxChars: number, onLine: OnLine): LineSplitter {
  let carry = ''
  let overlong = false
  let heldCr = false

  /** A CR at the end of a chunk may be half of a CRLF: it waits for the next chunk. */
  function toLf(text: string): string {
    let all = heldCr ? `\r${text}` : text
    heldCr = all.endsWith('\r')
    if (heldCr) all = all.slice(0, -1)
    return all.includes('\r') ? all.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : all
  }

  function hold(text: string): void {
    if (overlong) return
    carry += text
    if (carry.length <= maxChars) return
    carry = carry.slice(0, KEPT_CHARS)
    overlong = true
  }

  function emit(line: string): void {
    if (line.length > maxChars) onLine(line.slice(0, KEPT_CHARS), true)
    else onLine(line, false)
  }

  function finishCarry(): void {
    const line = carry
    carry = ''
    if (overlong) onLine(line, true)
    else onLine(line, false)
    overlong = false
  }

  return {
    push(chunk) {
      const text = toLf(chunk)
      let from = 0
      let to = text.indexOf('\n')
      if (to !== -1 && (carry !== '' || overlong)) {
        hold(text.slice(0, to))
        finishCarry()
        from = to + 1
        to = text.indexOf('\n', from)
      }
      for (; to !== -1; to = text.indexOf('\n', from)) {
        emit(text.slice(from, to))
        from = to + 1
      }
      if (from < text.length) hold(from === 0 ? text : text.slice(from))
    },
    end() {
      if (heldCr) {
        heldCr = false
        finishCarry()
      } else if (carry !== '' || overlong) finishCarry()
    },
  }
}
