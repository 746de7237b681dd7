/** Reads the metadata and pictures of NFTs. They are cached in memory only. */
import type { Address } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import type { AssetKind, GatewaysView, ItemDetails } from '../../messages.ts'
import { readersOf } from '../networks/node-uses.ts'
import { type AccountAtNode, readItemUri } from '../tokens/token-contracts.ts'
import { decodeDataUrl } from './data-url.ts'
import type { Download } from './download.ts'
import { parseMetadata, withItemId } from './item-metadata.ts'
import { type AtGateway, locate } from './location.ts'
import { type DrawPicture, MAX_PICTURE_BYTES, readPicture } from './picture.ts'

/** An item of a collection. `id` is decimal. */
export type Item = { address: Address; kind: AssetKind; id: string }
type Described = Omit<ItemDetails, 'imitates'>

export type Collectibles = {
  /**
   * Describes an item. Never throws because of a gateway: `missing` reports an unreachable gateway. Throws 4901 if the
   * node cannot be reached.
   */
  describe(place: AccountAtNode, item: Item, gateways: GatewaysView): Promise<Described>
  /** Returns the description if it is cached, otherwise null. Reads nothing. */
  cached(network: Network, item: Item, gateways: GatewaysView): Described | null
}

/** Maximum bytes of metadata, which can contain the picture. */
const MAX_METADATA_BYTES = 1 << 20
/** Maximum characters of a displayed link. */
const LONGEST_LINK = 300
/** Maximum number of cached items, and of concurrent reads. */
export const MOST_KEPT = 60
const AT_ONCE = 4

const NOTHING: Described = { name: null, description: null, attributes: [], picture: null, missing: null, link: null }

type Missing = { missing: NonNullable<ItemDetails['missing']> }

/** Limits concurrency: runs at most `most` tasks at a time, in order. */
const createGate = (most: number) => {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>(resolve => waiting.push(resolve))
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

export const createCollectibles = (download: Download, draw: DrawPicture): Collectibles => {
  /** Reads by item. `told` is the description once it is read. */
  const known = new Map<string, { asking: Promise<Described>; told: Described | null }>()
  const inTurn = createGate(AT_ONCE)

  /** Queries the gateway and, if that fails, the subdomain to which it may redirect. */
  const downloadFrom = async ({ url, sandbox }: AtGateway, most: number): ReturnType<Download> => {
    try {
      return await download(url, most)
    } catch (error) {
      if (sandbox === null) throw error
      return download(sandbox, most)
    }
  }

  const read = async (
    uri: string,
    gateways: GatewaysView,
    most: number,
  ): Promise<Missing | { bytes: Uint8Array<ArrayBuffer> }> => {
    const location = locate(uri, gateways)
    if (location.kind === 'noGateway' || location.kind === 'web') return { missing: location.kind }
    if (location.kind === 'unknown') return { missing: 'refused' }
    try {
      const bytes = location.kind === 'data' ? decodeDataUrl(uri.trim(), most) : await downloadFrom(location, most)
      return bytes ? { bytes } : { missing: 'refused' }
    } catch {
      return { missing: 'unreachable' }
    }
  }

  /** Adds the URI that was not read, as a link. Refused data gets no link, because the user could not open it. */
  const without = (details: Described, { missing }: Missing, uri: string): Described => ({
    ...details,
    missing,
    link: missing === 'refused' ? null : uri.trim().slice(0, LONGEST_LINK),
  })

  const describeNow = async (place: AccountAtNode, item: Item, gateways: GatewaysView): Promise<Described> => {
    const written = await readItemUri(place, item)
    if (written === null) return { ...NOTHING, missing: 'none' }
    const uri = item.kind === 'erc1155' ? withItemId(written, item.id) : written
    const told = await read(uri, gateways, MAX_METADATA_BYTES)
    if ('missing' in told) return without(NOTHING, told, uri)
    const metadata = parseMetadata(told.bytes)
    if (metadata === null) return { ...NOTHING, missing: 'refused' }
    const { image, ...texts } = metadata
    const details = { ...NOTHING, ...texts }
    if (image === null) return { ...details, missing: 'none' }
    const file = await read(image, gateways, MAX_PICTURE_BYTES)
    if ('missing' in file) return without(details, file, image)
    const picture = await readPicture(file.bytes, draw)
    return { ...details, picture, missing: picture === null ? 'refused' : null }
  }

  const keyOf = (network: Network, item: Item, gateways: GatewaysView): string =>
    JSON.stringify([network.chainId, readersOf(network), item, gateways])

  return {
    describe: (place, item, gateways) => {
      const key = keyOf(place.network, item, gateways)
      const kept = known.get(key)
      if (kept) return kept.asking
      const read = { asking: inTurn(() => describeNow(place, item, gateways)), told: null as Described | null }
      const forget = () => void known.delete(key)
      read.asking.then(told => {
        if (told.missing === 'unreachable') forget()
        else read.told = told
      }, forget)
      known.set(key, read)
      for (const old of [...known.keys()].slice(0, -MOST_KEPT)) known.delete(old)
      return read.asking
    },
    cached: (network, item, gateways) => known.get(keyOf(network, item, gateways))?.told ?? null,
  }
}
