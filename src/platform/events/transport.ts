import type { Tx } from '#platform/database/transact.ts'

/** A connection that listens to the other processes, until it is lost. */
export type Listener = {
  /** Why it was lost; also after `close`. */
  lost: Promise<string>
  close(): Promise<void>
}

/** The way by which messages get from one process to the others. */
export type Transport = {
  name: 'redis' | 'postgresql'
  /**
   * `in_transaction`: the message is written with the transaction and leaves when it is committed, with no gap between the two.
   * `after_commit`: it is sent once the transaction is committed, and can be lost.
   */
  send:
    | { when: 'in_transaction'; write(tx: Tx, text: string): Promise<void> }
    | { when: 'after_commit'; publish(text: string): Promise<void> }
  /** Opens a connection of its own. @throws when it cannot be had */
  listen(onText: (text: string) => void): Promise<Listener>
}
