/** Shows a site's requests in a headless wallet. Each request gets a fresh copy of the same wallet. */
import { RpcError } from '@heliograph/shared/errors'
import { defaultNetworks } from '@heliograph/shared/network'
import type { Finding, RequestView, RiskLevel } from '../../extension/src/messages.ts'
import { headlineOf } from '../../extension/src/ui/format/headline.ts'
import { levelOf } from '../../extension/src/ui/model/risk.ts'
import type { Store, Stores } from '../../extension/src/wallet/storage/store.ts'
import {
  FIRST_KEY,
  type Headless,
  PASSWORD,
  type Person,
  reject,
  SECOND_KEY,
  SITE,
  startWallet,
} from '../../extension/src/wallet/wallet.fixture.ts'
import { ACCOUNT, BAYC, DAI, MIRA, USDC, WETH } from './addresses.ts'
import { nodeWith } from './node.ts'
import type { DangerousRow, EverydayRow } from './rows.ts'

/** The content of the approval window, or the error with which the wallet rejected the request. */
export type Shown =
  | { refused: string }
  | { refused: null; level: RiskLevel; title: string; findings: readonly Finding[] }

export type World = { show(row: DangerousRow | EverydayRow): Promise<Shown> }

type Values = ReadonlyMap<string, string>

/** Returns a store in memory with these initial values. */
const storeWith = (values: Map<string, string>): Store => ({
  get: async name => {
    const text = values.get(name)
    return text === undefined ? undefined : JSON.parse(text)
  },
  set: async (name, value) => void values.set(name, JSON.stringify(value)),
  remove: async name => void values.delete(name),
})

const storesWith = ({ local, session }: { local: Values; session: Values }): Stores => ({
  local: storeWith(new Map(local)),
  session: storeWith(new Map(session)),
})

/** The wallet and the site start on the first network, Ethereum. */
const networks = defaultNetworks.map(network => ({ ...network, rpcUrls: ['https://node.example/'] }))

const connectFirst: Person = () => ({ approve: true, accounts: [ACCOUNT] })

const setUp = async (): Promise<{ local: Values; session: Values }> => {
  const [local, session] = [new Map<string, string>(), new Map<string, string>()]
  const store = { local: storeWith(local), session: storeWith(session) }
  const { wallet } = startWallet({ chain: nodeWith(), networks, store, person: connectFirst })
  const { ui } = wallet
  await ui.createVault({ password: PASSWORD, privateKey: FIRST_KEY, name: 'Main' })
  await ui.importPrivateKey({ privateKey: SECOND_KEY, name: 'Savings' })
  await ui.saveContact({ address: MIRA, name: 'Mira' })
  for (const token of [USDC, WETH, DAI, BAYC]) await ui.showToken({ token, address: ACCOUNT, chainId: 1 })
  await wallet.request(SITE, { id: 'connect', method: 'eth_requestAccounts' })
  return { local, session }
}

/** Group separators in numbers, direction isolates, and the quotes around symbols that only contracts claim. */
const TYPOGRAPHY = /[\u2066-\u2069\u200e\u200f“”]|(?<=\d),(?=\d{3})/g
const plain = (title: string): string => title.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(TYPOGRAPHY, '')

export const startWorld = async (): Promise<World> => {
  const values = await setUp()
  return {
    show: async ({ request, node, prepare, start }) => {
      let seen: RequestView | undefined
      const person: Person = view => {
        seen = view
        return reject(view)
      }
      const started = await start?.()
      try {
        const chain = started?.chain ?? nodeWith(node)
        const { wallet }: Headless = startWallet({ chain, networks, store: storesWith(values), person })
        await prepare?.(wallet.ui)
        const answer: unknown = await wallet.request(SITE, { id: 'asked', ...request }).catch((error: unknown) => error)
        if (seen === undefined) {
          if (!(answer instanceof RpcError)) throw new Error(`the wallet responded without a decision: ${answer}`)
          return { refused: `${answer.code} ${answer.message}` }
        }
        const { findings } = seen as RequestView
        return { refused: null, level: levelOf(findings), title: plain(headlineOf(seen).title), findings }
      } finally {
        await started?.stop()
      }
    },
  }
}
