/**
 * Where a link of a server leads, or undefined when that is another origin: whoever writes an answer must not send us, or our credentials,
 * elsewhere. A link in http on the same host is taken in https; many servers behind a proxy write it so.
 *
 * @param base an absolute address of the server
 */
export function tryResolveAtHome(link: string, base: string): URL | undefined {
  const home = new URL(base)
  if (!URL.canParse(link, home.href)) return undefined
  const url = new URL(link, home.href)
  if (url.protocol === 'http:' && home.protocol === 'https:' && url.hostname === home.hostname && url.port === '') url.protocol = 'https:'
  return url.origin === home.origin && url.username === '' && url.password === '' ? url : undefined
}

/** An address, as it is registered, cut as text: its key placeholders are unfilled, and a URL parser would rewrite them. */
export type CutAddress = { path: string; filters: string }

/** An address without its fragment, and its query without the members that the reading itself sets. */
export function cutAddress(url: string, ownMembers: ReadonlySet<string>): CutAddress {
  const [withoutHash = ''] = url.split('#', 1)
  const at = withoutHash.indexOf('?')
  const path = at === -1 ? withoutHash : withoutHash.slice(0, at)
  const query = at === -1 ? '' : withoutHash.slice(at + 1)
  return {
    path,
    filters: query
      .split('&')
      .filter((member) => member !== '' && !ownMembers.has(member.split('=', 1)[0] ?? ''))
      .join('&'),
  }
}
