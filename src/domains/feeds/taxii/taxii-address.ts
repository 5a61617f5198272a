import { type CutAddress, cutAddress, tryResolveAtHome } from '../home-origin.ts'

export type TaxiiAddress = CutAddress

/** Query members that the walk itself sets. */
const WALK_MEMBERS: ReadonlySet<string> = new Set(['added_after', 'limit', 'next'])

/** The path of a resource, which always ends in a slash, and the filters that its address carries (`match[type]=indicator`). */
export function splitAddress(url: string): TaxiiAddress {
  const { path, filters } = cutAddress(url, WALK_MEMBERS)
  return { path: path.endsWith('/') ? path : `${path}/`, filters }
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

/** Where an API root is that a discovery names, or undefined when it stands on another host. */
export function tryResolveRoot(root: string, discovery: string): string | undefined {
  const url = tryResolveAtHome(root, discovery)
  if (url === undefined) return undefined
  return `${url.origin}${url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`}`
}
