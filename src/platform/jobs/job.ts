/** Work that is done again and again: a value, not a class. */
export type Job = {
  /** `area.what`; also the name of its lock. */
  name: string
  everySeconds: number
  /** One round. The counts become the fields of its log line. Ends soon after the signal. */
  run(signal: AbortSignal): Promise<Record<string, number>>
  /** Waits for work that a round has begun and left running. */
  settle?(): Promise<void>
}
