import type { IndicatorType } from '#domains/indicators/indicators.model.ts'
import { refang } from '#domains/indicators/normalization/refang.ts'
import { normalizeIndicator } from '#domains/indicators/normalize.ts'
import { isRegistrySuffix } from '#kernel/domain-name.ts'
import { refuseField } from '#kernel/errors.ts'
import { formatNetwork, tryParseNetwork } from '#kernel/ip.ts'
import { parseWord } from '#kernel/parse-word.ts'
import { EXCLUSION_KINDS, type ExclusionKind, type Pattern } from './exclusions.model.ts'

/**
 * What an analyst means by a text, defanged or not. Without a kind it is the value alone, or with a leading `*.` the domain.
 *
 * @throws validation_failed naming `kind` or `value`
 */
export function parsePattern(text: string, kindWord?: string): Pattern {
  const kind = kindWord === undefined ? guessKind(text) : parseWord('kind', kindWord.slice(0, 40), EXCLUSION_KINDS)
  return READERS[kind](text)
}

/** Whether the name can stand for everything below it: a registry's suffix would silence a whole part of the name space. */
export function canCoverNames(name: string): boolean {
  return !isRegistrySuffix(name)
}

const READERS: Record<ExclusionKind, (text: string) => Pattern> = {
  VALUE: (text) => {
    const { type, value } = readIndicator(text)
    return { kind: 'VALUE', type, value }
  },
  DOMAIN: (text) => {
    const { value } = readIndicator(text, 'DOMAIN')
    return { kind: 'DOMAIN', type: null, value }
  },
  NETWORK: readNetwork,
  HOST: readHost,
}

function guessKind(text: string): ExclusionKind {
  return text.trim().startsWith('*.') ? 'DOMAIN' : 'VALUE'
}

function readIndicator(text: string, type?: IndicatorType): { type: IndicatorType; value: string } {
  const verdict = normalizeIndicator(text, type)
  if (!verdict.ok) throw refuseField('value', `This is no value that an IOC can have: ${verdict.reason}`)
  return verdict
}

/** Also ranges that are too wide or too private to be indicators: they hold addresses that are. */
function readNetwork(text: string): Pattern {
  const plain = refang(text).trim()
  const network = tryParseNetwork(plain) ?? tryParseNetwork(`${plain}/${plain.includes(':') ? 128 : 32}`)
  if (network === undefined) throw refuseField('value', 'This is neither a range of addresses nor an address.')
  if (network.prefix === 0) throw refuseField('value', 'A range of all addresses cannot be excluded.')
  return { kind: 'NETWORK', type: null, value: formatNetwork(network) }
}

/** The host of a URL, or a host itself: a name or an address, an IPv6 address in brackets as URLs write it. */
function readHost(text: string): Pattern {
  const asUrl = normalizeIndicator(text.includes('://') || text.includes('[:]') ? text : `http://${bracketed(text.trim())}/`, 'URL')
  if (!asUrl.ok) throw refuseField('value', `This is not the host of a URL: ${asUrl.reason}`)
  const host = /^[a-z]+:\/\/(?:[^/?]*@)?(\[[^\]/?]*\]|[^/?:]*)/.exec(asUrl.value)?.[1] ?? ''
  return { kind: 'HOST', type: null, value: host }
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
