/** An address, as it is registered: its key placeholders unfilled, so that it is cut as text and not by a URL parser. */
export type TaxiiAddress = { path: string; filters: string }

/** Query members that the walk itself sets. */
const WALK_MEMBERS: ReadonlySet<string> = new Set(['added_after', 'limit', 'next'])

/** The path of a resource, which always ends in a slash, and the filters that its address carries (`match[type]=indicator`). */
export function splitAddress(url: string): TaxiiAddress {
  const [withoutHash = ''] = url.split('#', 1)
  const at = withoutHash.indexOf('?')
  const path = at === -1 ? withoutHash : withoutHash.slice(0, at)
  const query = at === -1 ? '' : withoutHash.slice(at + 1)
  const filters = query.split('&').filter((member) => member !== '' && !WALK_MEMBERS.has(member.split('=', 1)[0] ?? ''))
  return { path: path.endsWith('/') ? path : `${path}/`, filters: filters.join('&') }
}

/** What an address names, as far as its path tells. */
export type NamedByPath = { kind: 'objects'; path: string } | { kind: 'collections'; path: string } | { kind: 'unknown'; path: string }

/** A collection or its objects (`…/collections/<id>/[objects/]`), a list of collections, or something that has to be asked. */
export function namedByPath(path: string): NamedByPath {
  const objects = /^(.*\/collections\/[^/]+\/)(?:objects\/)?$/.exec(path)
  if (objects?.[1] !== undefined) return { kind: 'objects', path: `${objects[1]}objects/` }
  return { kind: path.endsWith('/collections/') ? 'collections' : 'unknown', path }
}

/** The address of a page of objects. */
export function pageAddress({ path, filters }: TaxiiAddress, request: { addedAfter?: string; next?: string; limit: number }): string {
  const members = [
    filters,
    request.addedAfter === undefined ? '' : `added_after=${encodeURIComponent(request.addedAfter)}`,
    `limit=${request.limit}`,
    request.next === undefined ? '' : `next=${encodeURIComponent(request.next)}`,
  ]
  return `${path}?${members.filter((member) => member !== '').join('&')}`
}

/**
 * Where an API root is that a discovery names, or undefined when it stands on another host: whoever writes a discovery must not send us, or our
 * credentials, elsewhere. A root in http on the same host is taken in https; many servers behind a proxy write it so.
 */
export function tryResolveRoot(root: string, discovery: string): string | undefined {
  const base = new URL(discovery)
  if (!URL.canParse(root, base.href)) return undefined
  const url = new URL(root, base.href)
  if (url.protocol === 'http:' && base.protocol === 'https:' && url.hostname === base.hostname && url.port === '') url.protocol = 'https:'
  if (url.origin !== base.origin || url.username !== '' || url.password !== '') return undefined
  return `${url.origin}${url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`}`
}
