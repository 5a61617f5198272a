import { v7 } from 'uuid'

/** A new identifier that sorts by time of creation (UUIDv7, RFC 9562). */
export function newId(): string {
  return v7()
}
