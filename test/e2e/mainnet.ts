/** A local chain with Ethereum's id, and contracts at the addresses that the wallet's catalogues name. */
import { Interface, type JsonRpcProvider } from 'ethers'
import { MULTICALL } from '../../extension/src/wallet/networks/multicall.ts'
import { feedList } from '../../extension/src/wallet/wallet.fixture.ts'
import { startAnvil } from '../support/anvil.ts'
import { openChain } from '../support/chain.ts'
import { compileContracts } from '../support/compile.ts'

export const MAINNET = 1
/** The catalogue's USDC. */
export const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

/** The account that pays for the transactions. */
const PAYER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const COIN = new Interface(['function mint(address to, uint256 value)'])
const AGGREGATOR = new Interface(['function set(int256 answer, uint256 updatedAt)'])

export type Mainnet = {
  url: string
  chain: JsonRpcProvider
  /** Mints units of the token at this address. The first call puts an ERC-20 with the symbol COIN there. */
  mint(token: string, to: string, units: bigint): Promise<void>
  /** Sets the answer of the catalogue's price feed for a pair, with 8 decimals, updated now. */
  price(pair: string, answer: bigint): Promise<void>
  stop(): Promise<void>
}

/** Starts the chain with a Multicall3. */
export const startMainnet = async (): Promise<Mainnet> => {
  const anvil = await startAnvil({ chainId: MAINNET })
  const chain = openChain(anvil.url)
  const contracts = compileContracts('support/contracts')
  const feeds = (await feedList()).networks[MAINNET]?.feeds ?? []
  const put = (address: string, name: string) => chain.send('anvil_setCode', [address, contracts.get(name)])
  const send = (to: string, data: string) => chain.send('eth_sendTransaction', [{ from: PAYER, to, data }])
  await put(MULTICALL, 'Multicall')
  return {
    url: anvil.url,
    chain,
    mint: async (token, to, units) => {
      await put(token, 'Coin')
      await send(token, COIN.encodeFunctionData('mint', [to, units]))
    },
    price: async (pair, answer) => {
      const feed = feeds.find(([known]) => known === pair)?.[1]
      if (feed === undefined) throw new Error(`The catalogue has no feed ${pair}`)
      await put(feed, 'Aggregator')
      const time = BigInt(Math.floor(Date.now() / 1000))
      await send(feed, AGGREGATOR.encodeFunctionData('set', [answer, time]))
    },
    stop: async () => {
      chain.destroy()
      await anvil.stop()
    },
  }
}
