/** `truncated`: the bytes end too early, so another attempt may help. `unsupported`: in order, but not read here. */
export type DecodingFault = 'truncated' | 'damaged' | 'unsupported'

/** Why packed bytes could not be unpacked. The message is a phrase that fits into brackets or behind a colon; nothing in it comes from the bytes. */
export class DecodingError extends Error {
  override readonly name = 'DecodingError'
  readonly fault: DecodingFault

  constructor(fault: DecodingFault, message: string) {
    super(message)
    this.fault = fault
  }
}
