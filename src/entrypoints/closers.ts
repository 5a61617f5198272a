/** What has to be ended, the newest first. */
export type Closers = { add(close: () => Promise<void> | void): void; closeAll(): Promise<void> }

/** Ends everything that was opened, in the reverse order; one that fails does not keep the others open. */
export function createClosers(onFailure: (error: unknown) => void): Closers {
  const open: (() => Promise<void> | void)[] = []
  return {
    add: (close) => void open.push(close),
    async closeAll() {
      for (let close = open.pop(); close !== undefined; close = open.pop()) {
        try {
          await close()
        } catch (error) {
          onFailure(error)
        }
      }
    },
  }
}
