import type { IndicatorType } from '../api/indicators.ts'

/** A value that cannot be clicked or resolved by accident; the service reads it back as it was. */
export function defang(type: IndicatorType, value: string): string {
  switch (type) {
    case 'HASH':
      return value
    case 'URL':
      return defangUrl(value)
    case 'EMAIL':
      return value.replace('@', '[@]').replaceAll('.', '[.]')
    case 'IPV4':
    case 'IPV6':
    case 'NETWORK':
    case 'DOMAIN':
      return value.replaceAll('.', '[.]').replaceAll(':', '[:]')
  }
}

/** The same for a value whose type is not said. */
export function defangAny(value: string): string {
  if (/^[a-z0-9+.-]+:\/\//i.test(value)) return defang('URL', value)
  return defang(value.includes('@') ? 'EMAIL' : 'DOMAIN', value)
}

/** Only the scheme and the host: brackets in a path may be the URL's own. */
function defangUrl(url: string): string {
  const [, scheme = '', host = '', rest = ''] = /^([a-z0-9+.-]+:\/\/)?([^/?#]*)(.*)$/is.exec(url) ?? []
  return `${scheme.replace(/^http/i, 'hxxp')}${host.replaceAll('.', '[.]')}${rest}`
}
