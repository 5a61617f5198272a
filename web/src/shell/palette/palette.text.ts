import type { IndicatorType } from '../../api/indicators.ts'

const NUMBER = new Intl.NumberFormat('en')

const typeText: Record<IndicatorType, string> = {
  IPV4: 'IPv4 address',
  IPV6: 'IPv6 address',
  NETWORK: 'Network',
  DOMAIN: 'Domain',
  URL: 'URL',
  HASH: 'Hash',
  EMAIL: 'E-mail address',
}

/** Every text of the command palette. */
export const paletteText = {
  title: 'Search or jump to',
  placeholder: 'Paste an IOC, or type where to go',
  list: 'What you can do',
  close: 'Close',
  type: typeText,
  groups: { lookup: 'Look up', answer: 'Answer', places: 'Go to', actions: 'Actions' },
  lookUp: (value: string) => `Look up ${value}`,
  lookUpMany: (values: number) => `Look up ${NUMBER.format(values)} values`,
  lookUpManyHint: (types: readonly string[]) => types.join(', '),
  countOf: (values: number, type: string) => `${type}: ${NUMBER.format(values)}`,
  unrecognised: 'not recognised',
  notRecognised: 'Not recognised as an IOC; the server decides',
  tooMany: (most: number) => `At most ${NUMBER.format(most)} values at once`,
  goTo: (place: string) => `Go to ${place}`,
  submit: 'Submit IOCs',
  submitThis: (value: string) => `Submit ${value}`,
  submitLater: 'Opens the form with this value; nothing is stored yet',
  submitMany: (values: number) => `Submit the ${NUMBER.format(values)} unknown`,
  submitFirst: (most: number) => `The first ${NUMBER.format(most)}; more do not fit in one submission`,
  looking: 'Looking up',
  unknown: (value: string) => `${value} is unknown here`,
  unknownNext: 'No source lists it, nor a range or name around it.',
  rejected: (value: string) => `${value} cannot be looked up`,
  light: 'Use the light theme',
  dark: 'Use the dark theme',
  utc: 'Show times in UTC',
  local: 'Show times in the local zone',
  logout: 'Log out',
  keys: { move: 'move', choose: 'choose', leave: 'close' },
  results: {
    title: (values: number) => `${NUMBER.format(values)} values looked up`,
    known: 'Known',
    unknown: 'Unknown',
    rejected: 'Refused',
    count: (name: string, values: number) => `${name} (${NUMBER.format(values)})`,
    none: 'None',
    more: (values: number) => `and ${NUMBER.format(values)} more`,
    copy: 'Copy all',
    copied: 'Copied',
    back: 'Look up others',
  },
  relation: { exact: 'listed itself', in_range: 'lies in the range', subdomain_of: 'is a name under', host_of_url: 'has the host' },
} as const
