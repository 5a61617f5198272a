/** The command cannot run as things stand, and `next` says what to do first. Exit code 2. Source: docs/decisions/0012. */
export class CannotRun extends Error {
  override readonly name: string = 'CannotRun'
  readonly next: string

  constructor(message: string, next: string) {
    super(message)
    this.next = next
  }
}
