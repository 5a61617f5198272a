import { detailText } from './detail.text.ts'

const words: Readonly<Record<string, string>> = detailText.history.reasons
const FLOOR = '+floor_kev'

/**
 * Why a priority changed, in a sentence. A word that is not known here stays as it stands.
 *
 * Source: docs/decisions/0016: tokens between commas, a model behind a colon, `+floor_kev` at the end.
 */
export function reasonWords(reason: string): string {
  const isFloor = reason.endsWith(FLOOR)
  const tokens = (isFloor ? reason.slice(0, -FLOOR.length) : reason).split(',').filter((token) => token !== '')
  const said = [...tokens.map(tokenWords), ...(isFloor ? [detailText.history.floor] : [])]
  const sentence = said.join('; ')
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}`
}

function tokenWords(token: string): string {
  const [name = '', ...rest] = token.split(':')
  const known = Object.hasOwn(words, name) ? words[name] : undefined
  if (known === undefined) return token
  return rest.length === 0 ? known : `${known} (${rest.join(':')})`
}
