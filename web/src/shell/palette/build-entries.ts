import {
  IconClock,
  IconDevices,
  IconFilePlus,
  IconKey,
  IconLogout,
  IconMoon,
  IconQuestionMark,
  IconSearch,
  IconShieldOff,
  IconSun,
} from '@tabler/icons-react'
import { LOOKUP_MAX_VALUES, type LookupItem } from '../../api/indicators.ts'
import { countByType } from '../../screens/iocs/classify.ts'
import type { Action } from '../can.ts'
import { logOut } from '../log-out.ts'
import { paths } from '../paths.ts'
import { PLACES, type Place } from '../places.ts'
import { paletteText as text } from './palette.text.ts'
import { matching, type PaletteEntry } from './palette-entries.ts'
import type { PaletteQuery } from './palette-query.ts'

export type EntriesContext = {
  query: PaletteQuery
  /** The answer for the one value that was looked up last and is not known. */
  answer: LookupItem | undefined
  submitReason: true | string
  can: (action: Action) => true | string
  colorScheme: string
  timeZone: 'UTC' | 'LOCAL'
  lookUp: (values: readonly string[]) => void
  openCve: (id: string) => void
  submit: (values: readonly string[]) => void
  go: (to: Place['to'] | (typeof paths)['accountSessions' | 'accountPassword']) => void
  setColorScheme: (scheme: 'light' | 'dark') => void
  setTimeZone: (zone: 'UTC' | 'LOCAL') => void
  close: () => void
}

/** The lines of the palette for what stands in its box, the likeliest first. */
export function buildEntries(context: EntriesContext): PaletteEntry[] {
  const { query, answer } = context
  if (query.kind === 'cve') return [openCve(context, query.id)]
  if (query.kind === 'values') return [lookUpMany(context, query.values)]
  if (query.kind === 'value') return answer === undefined ? [lookUpOne(context, query)] : answersTo(context, answer)
  const found = matching([...places(context), ...actions(context)], query.words)
  if (query.words === '') return found
  if (answer !== undefined) return [...answersTo(context, answer), ...found]
  const anyway: PaletteEntry = {
    id: 'look-up',
    group: text.groups.lookup,
    label: text.lookUp(query.words),
    hint: text.notRecognised,
    icon: IconSearch,
    onChoose: () => context.lookUp([query.words]),
  }
  return [...found, anyway]
}

function lookUpOne({ lookUp }: EntriesContext, { value, type }: { value: string; type: keyof typeof text.type }): PaletteEntry {
  return {
    id: 'look-up',
    group: text.groups.lookup,
    label: text.lookUp(value),
    hint: text.type[type],
    keys: 'Enter',
    icon: IconSearch,
    onChoose: () => lookUp([value]),
  }
}

function openCve({ openCve: open }: EntriesContext, id: string): PaletteEntry {
  return { id: 'open-cve', group: text.groups.lookup, label: text.openCve(id), keys: 'Enter', icon: IconSearch, onChoose: () => open(id) }
}

function lookUpMany({ lookUp }: EntriesContext, values: readonly string[]): PaletteEntry {
  const counts = [...countByType(values)].map(([type, number]) =>
    text.countOf(number, type === undefined ? text.unrecognised : text.type[type]),
  )
  return {
    id: 'look-up',
    group: text.groups.lookup,
    label: text.lookUpMany(values.length),
    hint: text.lookUpManyHint(counts),
    keys: 'Enter',
    icon: IconSearch,
    ...(values.length > LOOKUP_MAX_VALUES ? { reason: text.tooMany(LOOKUP_MAX_VALUES) } : {}),
    onChoose: () => lookUp(values),
  }
}

function answersTo({ submit, submitReason, close }: EntriesContext, answer: LookupItem): PaletteEntry[] {
  const value = answer.value ?? answer.input
  if (answer.status === 'rejected') {
    const refused = { id: 'refused', group: text.groups.answer, label: text.rejected(value), icon: IconQuestionMark, onChoose: close }
    return [{ ...refused, ...(answer.reason === null ? {} : { hint: answer.reason }) }]
  }
  if (answer.status === 'excluded' && answer.exclusion !== null) {
    const { created_by, created_at, reason } = answer.exclusion
    const hint = text.excludedBecause(created_by, created_at.slice(0, 10), reason)
    return [{ id: 'excluded', group: text.groups.answer, label: text.excluded(value), hint, icon: IconShieldOff, onChoose: close }]
  }
  return [
    {
      id: 'unknown',
      group: text.groups.answer,
      label: text.unknown(value),
      hint: text.unknownNext,
      icon: IconQuestionMark,
      onChoose: close,
    },
    {
      id: 'submit-this',
      group: text.groups.answer,
      label: text.submitThis(value),
      hint: text.submitLater,
      keys: 'Enter',
      icon: IconFilePlus,
      ...(submitReason === true ? {} : { reason: submitReason }),
      onChoose: () => submit([value]),
    },
  ]
}

function places({ go, can }: EntriesContext): PaletteEntry[] {
  return PLACES.map((place) => {
    const reason = place.needs === undefined ? true : can(place.needs)
    return {
      id: place.id,
      group: text.groups.places,
      label: text.goTo(place.label),
      keys: `g ${place.letter}`,
      icon: place.icon,
      ...(reason === true ? {} : { reason }),
      onChoose: () => go(place.to),
    }
  })
}

function actions({ submit, submitReason, colorScheme, timeZone, setColorScheme, setTimeZone, go }: EntriesContext): PaletteEntry[] {
  const group = text.groups.actions
  const toDark = colorScheme !== 'dark'
  const toUtc = timeZone !== 'UTC'
  return [
    {
      id: 'submit',
      group,
      label: text.submit,
      icon: IconFilePlus,
      ...(submitReason === true ? {} : { reason: submitReason }),
      onChoose: () => submit([]),
    },
    {
      id: 'theme',
      group,
      label: toDark ? text.dark : text.light,
      icon: toDark ? IconMoon : IconSun,
      onChoose: () => setColorScheme(toDark ? 'dark' : 'light'),
    },
    { id: 'zone', group, label: toUtc ? text.utc : text.local, icon: IconClock, onChoose: () => setTimeZone(toUtc ? 'UTC' : 'LOCAL') },
    { id: 'sessions', group, label: text.sessions, icon: IconDevices, onChoose: () => go(paths.accountSessions) },
    { id: 'password', group, label: text.changePassword, icon: IconKey, onChoose: () => go(paths.accountPassword) },
    { id: 'logout', group, label: text.logout, icon: IconLogout, onChoose: logOut },
  ]
}
