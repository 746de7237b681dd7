/** UI methods for collectibles: items' metadata, and the gateways from which it is read. */
import { sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { toGateway } from '../collectibles/gateways.ts'
import { rpcError } from '../text/errors.ts'
import { imitated } from '../tokens/imitations.ts'
import type { Ui, UiParts } from './parts.ts'

type CollectibleMethod = 'describeItem' | 'getGateways' | 'setGateways'

export const createCollectiblesUi = (parts: UiParts): Pick<Ui, CollectibleMethod> => {
  const { vault, networks, assets, found, collectibles, gateways, chain } = parts

  return {
    describeItem: async ({ token, id, address, chainId }) => {
      await vault.read()
      const [network, account] = [await networks.get(chainId), toAddress(address)]
      const { tokens } = await found.of({ chainId, account })
      // Metadata of spam is not read, because its gateway and its author would learn that someone viewed it.
      const collection = tokens.find(one => sameAddress(one.address, token) && one.choice === 'shown')
      if (!collection) throw rpcError('invalidParams', 'noToken')
      const item = { address: collection.address, kind: collection.kind, id: BigInt(id).toString() }
      const details = await collectibles.describe({ chain, network, account }, item, await gateways.read())
      const own = (await assets.list()).filter(asset => asset.chainId === chainId).map(({ symbol }) => symbol)
      const known = [network.currency.symbol, ...own]
      return { ...details, imitates: details.name === null ? null : imitated(details.name, known) }
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
