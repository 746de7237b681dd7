/** UI methods for collectibles: items' metadata, and the gateways from which it is read. */
import { sameAddress, toAddress } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import type { ItemDetails, UiMethods } from '../../messages.ts'
import { toGateway } from '../collectibles/gateways.ts'
import { onBehalfOf } from '../networks/node-uses.ts'
import { rpcError } from '../text/errors.ts'
import { imitated } from '../tokens/imitations.ts'
import type { Ui, UiParts } from './parts.ts'

type CollectibleMethod = 'describeItem' | 'getCachedItem' | 'getGateways' | 'setGateways'

export const createCollectiblesUi = (parts: UiParts): Pick<Ui, CollectibleMethod> => {
  const { vault, networks, assets, found, collectibles, gateways, chain } = parts

  /** Finds an item of a shown collection. */
  const find = async ({ token, id, address, chainId }: UiMethods['describeItem'][0]) => {
    await vault.read()
    const account = toAddress(address)
    const network = onBehalfOf(await networks.get(chainId), account)
    const { tokens } = await found.of({ chainId, account })
    // Metadata of spam is not read, because its gateway and its author would learn that someone viewed it.
    const collection = tokens.find(one => sameAddress(one.address, token) && one.choice === 'shown')
    if (!collection) return null
    const item = { address: collection.address, kind: collection.kind, id: BigInt(id).toString() }
    return { place: { chain, network, account }, item }
  }
  const viewOf = async (
    { chainId, currency }: Network,
    details: Omit<ItemDetails, 'imitates'>,
  ): Promise<ItemDetails> => {
    const own = (await assets.list()).filter(asset => asset.chainId === chainId).map(({ symbol }) => symbol)
    return { ...details, imitates: details.name === null ? null : imitated(details.name, [currency.symbol, ...own]) }
  }

  return {
    describeItem: async asked => {
      const held = await find(asked)
      if (!held) throw rpcError('invalidParams', 'noToken')
      const details = await collectibles.describe(held.place, held.item, await gateways.read())
      return viewOf(held.place.network, details)
    },
    getCachedItem: async asked => {
      const held = await find(asked)
      const details = held && collectibles.cached(held.place.network, held.item, await gateways.read())
      return held && details && viewOf(held.place.network, details)
    },
    getGateways: async () => {
      await vault.read()
      return gateways.read()
    },
    setGateways: async ({ ipfs, arweave }) => {
      await vault.read()
      const chosen = { ipfs: toGateway(ipfs), arweave: toGateway(arweave) }
      await gateways.update(() => chosen)
      return null
    },
  }
}
