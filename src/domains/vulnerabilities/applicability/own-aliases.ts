import type { AssetFacts } from '../vulnerabilities.model.ts'
import { isSameProduct } from './product-match.ts'

/** A name that an organisation uses for a product of CPE. */
export type OwnAlias = { vendor: string; product: string; name: string }

/** An asset under its own name, and under those of CPE that its name stands for. A vendor that is given must agree, as it must everywhere. */
export function underEachName(asset: AssetFacts, aliases: readonly OwnAlias[]): [AssetFacts, ...AssetFacts[]] {
  const others = aliases
    .filter(({ vendor, name }) => isSameProduct(asset, { vendor, product: name }))
    .map(({ vendor, product }) => ({ ...asset, vendor, product }))
  return [asset, ...others]
}
