import { ROLES, type Role } from '#kernel/actor.ts'
import { newId } from '#kernel/ids.ts'

/** What can happen, by name. Nothing else leaves on the stream. Source: spec, "Real-time stream". */
export const EVENT_NAMES = [
  'alert.created',
  'alert.acknowledged',
  'incident.created',
  'incident.updated',
  'feed.collected',
  'hunt.completed',
  'exclusions.changed',
] as const
export type EventName = (typeof EVENT_NAMES)[number]

/** What the stream itself says to a client, beside events. Source: spec, "Real-time stream". */
export type StreamSignal = 'resync' | 'expired'

/** Identifiers, and the figures that a badge shows; clients read the rest again. Source: docs/decisions/0013. */
export type EventData = Readonly<Record<string, string | number | boolean | null>>

/** Something that has been committed. */
export type LiveEvent = {
  /** UUIDv7: the `id` of the stream, and how two copies of one event are told to be one. */
  id: string
  name: EventName
  /** RFC 3339, UTC, milliseconds. */
  at: string
  data: EventData
  /** Members that an ADMIN gets beside `data`. */
  adminData?: EventData
  /** Who may see it; everyone when absent. */
  roles?: readonly Role[]
}

/** An event before it has an identity and a time. */
export type NewEvent = Pick<LiveEvent, 'name' | 'data' | 'adminData' | 'roles'>

/** What travels between processes: an event, or the word of a process that it could not send what happened up to `lostAtMs`. */
export type BusMessage = { kind: 'event'; event: LiveEvent } | { kind: 'lost'; from: string; lostAtMs: number }

/** The longest message that every transport takes, bytes. Source: PostgreSQL, NOTIFY: a payload is shorter than 8000 bytes. */
export const MAX_MESSAGE_BYTES = 7999

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Gives an event its identity and its time. One that is too long for the transports loses its data, in every process alike: its own may hear
 * of it through a transport first, and whoever gets it reads again anyway.
 */
export function toLiveEvent(event: NewEvent, at: Date): LiveEvent {
  const { adminData: _forAdmin, ...forAll } = { id: newId(), at: at.toISOString(), ...event }
  const whole: LiveEvent = event.adminData === undefined ? forAll : { ...forAll, adminData: event.adminData }
  return [whole, forAll].find(fitsTransports) ?? { ...forAll, data: {} }
}

function fitsTransports(event: LiveEvent): boolean {
  return Buffer.byteLength(encodeMessage({ kind: 'event', event })) <= MAX_MESSAGE_BYTES
}

export function encodeMessage(message: BusMessage): string {
  return JSON.stringify(message)
}

/** The message in a text; undefined for one of another version or another program. */
export function tryDecodeMessage(text: string): BusMessage | undefined {
  const message = tryParse(text)
  if (!isRecord(message)) return undefined
  if (message['kind'] === 'event' && isEvent(message['event'])) return { kind: 'event', event: message['event'] }
  const { kind, from, lostAtMs } = message
  if (kind === 'lost' && typeof from === 'string' && typeof lostAtMs === 'number') return { kind, from, lostAtMs }
  return undefined
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The id and the name become lines of the stream, so nothing but their own shape is taken. */
function isEvent(value: unknown): value is LiveEvent {
  if (!isRecord(value)) return false
  const { id, name, at, data, adminData, roles } = value
  return (
    typeof id === 'string' &&
    UUID.test(id) &&
    EVENT_NAMES.some((known) => known === name) &&
    typeof at === 'string' &&
    isRecord(data) &&
    (adminData === undefined || isRecord(adminData)) &&
    (roles === undefined || (Array.isArray(roles) && roles.every((role) => ROLES.some((known) => known === role))))
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
