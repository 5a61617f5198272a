import { DomainError } from '#kernel/errors.ts'
import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import { type TaxiiCollection, tryParseApiRoot, tryParseCollections, tryParseDiscovery } from './resources.ts'
import { namedByPath, splitAddress, type TaxiiAddress, tryResolveRoot } from './taxii-address.ts'
import { type TaxiiClient, TaxiiError } from './taxii-client.service.ts'

export type DescribedCollection = TaxiiCollection & { url: string }
/** An API root; `error` says why its collections are not known. */
export type DescribedRoot = { url: string; title: string; description: string; collections: DescribedCollection[]; error: string | null }
/** What stands at an address. */
export type TaxiiDescription = {
  title: string
  description: string
  roots: DescribedRoot[]
  /** Roots on other hosts, which are not asked. */
  elsewhere: string[]
}

export type TaxiiService = {
  /** The roots and collections at an address, which may name a discovery, a root, or a collection. @throws feed_url_forbidden, upstream_unavailable */
  discover(url: string, signal?: AbortSignal): Promise<TaxiiDescription>
  /** The objects of the one collection that an address means. @throws upstream_unavailable, listing the choices when there are several */
  locate(url: string, signal?: AbortSignal): Promise<TaxiiAddress>
}

/** Roots of one server that are asked. Assumption. */
const MAX_ROOTS = 20
/** Choices that one message lists. */
const SHOWN_CHOICES = 10

export function createTaxiiService({ outbound, client }: { outbound: Outbound; client: TaxiiClient }): TaxiiService {
  async function describeRoot(url: string, signal: AbortSignal | undefined, known?: unknown): Promise<DescribedRoot> {
    const described: DescribedRoot = { url, title: '', description: '', collections: [], error: null }
    try {
      const root = tryParseApiRoot(known ?? (await client.getResource(url, signal)))
      if (root !== undefined) Object.assign(described, { title: root.title, description: root.description })
      described.collections = await listCollections(`${url}collections/`, signal)
    } catch (error) {
      // One root that fails must not hide the others.
      if (!(error instanceof TaxiiError || error instanceof OutboundError)) throw error
      described.error = error.message
    }
    return described
  }

  async function listCollections(url: string, signal: AbortSignal | undefined): Promise<DescribedCollection[]> {
    const collections = tryParseCollections(await client.getResource(url, signal))
    if (collections === undefined) throw new TaxiiError('The answer is no list of TAXII collections.')
    return collections.map((collection) => ({ ...collection, url: `${url}${collection.id}/` }))
  }

  async function describeUnknown(path: string, signal: AbortSignal | undefined): Promise<TaxiiDescription> {
    const resource = await client.getResource(path, signal)
    const discovery = tryParseDiscovery(resource)
    if (discovery === undefined) {
      if (tryParseApiRoot(resource) === undefined)
        throw new TaxiiError(
          'The address is neither a TAXII discovery (…/taxii2/), nor an API root, nor a collection (…/collections/<id>/).',
        )
      const root = await describeRoot(path, signal, resource)
      return { title: root.title, description: root.description, roots: [root], elsewhere: [] }
    }
    const named = [...new Set([...(discovery.default === undefined ? [] : [discovery.default]), ...discovery.apiRoots])]
    const roots: DescribedRoot[] = []
    const elsewhere: string[] = []
    const urls = new Set<string>()
    for (const root of named) {
      const url = tryResolveRoot(root, path)
      if (url === undefined) elsewhere.push(root)
      else if (!urls.has(url) && urls.size < MAX_ROOTS) urls.add(url)
    }
    for (const url of urls) roots.push(await describeRoot(url, signal))
    return { title: discovery.title, description: discovery.description, roots, elsewhere }
  }

  async function describe(url: string, signal: AbortSignal | undefined): Promise<TaxiiDescription> {
    const named = namedByPath(splitAddress(url).path)
    if (named.kind === 'unknown') return await describeUnknown(named.path, signal)
    const collectionsPath = named.kind === 'collections' ? named.path : named.path.replace(/\/[^/]+\/objects\/$/, '/')
    const root = { url: collectionsPath.replace(/collections\/$/, ''), title: '', description: '', error: null }
    const all =
      named.kind === 'collections'
        ? await listCollections(collectionsPath, signal)
        : await describeOne(named.path.replace(/objects\/$/, ''), signal)
    return { title: '', description: '', roots: [{ ...root, collections: all }], elsewhere: [] }
  }

  async function describeOne(url: string, signal: AbortSignal | undefined): Promise<DescribedCollection[]> {
    const [collection] = tryParseCollections({ collections: [await client.getResource(url, signal)] }) ?? []
    if (collection === undefined) throw new TaxiiError('The answer is no TAXII collection.')
    return [{ ...collection, url }]
  }

  return {
    async discover(url, signal) {
      const verdict = outbound.judge(url)
      if (!verdict.ok)
        throw new DomainError('feed_url_forbidden', verdict.reason, [{ field: 'url', code: 'forbidden', message: verdict.reason }])
      try {
        return await describe(url, signal)
      } catch (error) {
        throw error instanceof OutboundError ? new DomainError('upstream_unavailable', error.message) : error
      }
    },

    async locate(url, signal) {
      const address = splitAddress(url)
      const named = namedByPath(address.path)
      if (named.kind === 'objects') return { ...address, path: named.path }
      return { ...address, path: `${chooseOne(await describe(url, signal)).url}objects/` }
    },
  }
}

function chooseOne({ roots, elsewhere }: TaxiiDescription): DescribedCollection {
  const choices = roots.flatMap(({ collections }) => collections).filter(({ canRead }) => canRead)
  const [only, ...others] = choices
  if (only !== undefined && others.length === 0) return only
  if (only === undefined) {
    const failed = roots.find(({ error }) => error !== null)?.error
    const away = elsewhere.length === 0 ? '' : ` Its roots on other hosts are not asked: ${elsewhere.slice(0, SHOWN_CHOICES).join(', ')}.`
    throw new TaxiiError(failed ?? `There is no collection at this address that may be read.${away}`)
  }
  const listed = choices.slice(0, SHOWN_CHOICES).map(({ url, title }) => (title === '' ? url : `${url} (${title})`))
  const more = choices.length > SHOWN_CHOICES ? ` and ${choices.length - SHOWN_CHOICES} more (\`svc taxii discover\` shows all)` : ''
  throw new TaxiiError(`The address holds ${choices.length} collections. Register one of them: ${listed.join(', ')}${more}.`)
}
