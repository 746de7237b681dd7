/** A headless wallet for tests: stores in memory, a chain of canned answers, and a person who decides at once. */
import { defaultNetworks } from '@heliograph/shared/network'
import type { RequestView, UiState } from '../messages.ts'
import type { Chain } from './chain.ts'
import type { SiteEvent } from './sites.ts'
import { memoryStore, type Stores } from './store.ts'
import { createWallet, type Wallet } from './wallet.ts'

/** The phrase that BIP-39's vectors and every development chain use. */
export const PHRASE = 'test test test test test test test test test test test junk'
export const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const PASSWORD = 'correct horse battery'
export const SITE = 'https://site.example'
/** So cheap that a test does not wait for it. */
export const CHEAP_KDF = { memory: 8, passes: 1, lanes: 1 }

export const quietChain: Chain = async (_network, method) => {
  throw new Error(`the test gives no answer to ${method}`)
}

export const chainOf =
  (answers: Record<string, (params: readonly unknown[]) => unknown>): Chain =>
  async (_network, method, params = []) => {
    const answer = answers[method]
    if (!answer) throw new Error(`the test gives no answer to ${method}`)
    return answer(params)
  }

export type Person = (request: RequestView) => { approve: boolean; accounts?: readonly string[] } | undefined

export const approve: Person = ({ effect }) =>
  effect.kind === 'connect'
    ? { approve: true, accounts: effect.accounts.map(({ address }) => address) }
    : { approve: true }

export type Headless = {
  wallet: Wallet
  store: Stores
  events: SiteEvent[]
  shown: string[]
  state: () => UiState | undefined
}

/** The same `store` again is the same wallet after a restart of its worker. */
export const startWallet = (
  options: { person?: Person; chain?: Chain; store?: Stores; networks?: typeof defaultNetworks } = {},
): Headless => {
  const { person = approve, chain = quietChain, networks = defaultNetworks } = options
  const store = options.store ?? { local: memoryStore(), session: memoryStore() }
  const events: SiteEvent[] = []
  const shown: string[] = []
  let last: UiState | undefined
  const decideAll = async () => {
    for (const request of (await wallet.ui.getState(null)).requests) {
      const decision = person(request)
      if (decision) await wallet.ui.decide({ id: request.id, ...decision })
    }
  }
  const wallet: Wallet = createWallet({
    store,
    networks,
    chain,
    approvals: {
      show: async () => {
        shown.push('approval')
        void decideAll()
      },
      showAgain: async () => {
        shown.push('again')
        void decideAll()
      },
      hide: async () => void shown.push('hidden'),
      setUp: async () => void shown.push('set-up'),
    },
    clock: { now: () => 1_700_000_000_000 },
    kdfCost: CHEAP_KDF,
    onState: state => {
      last = state
    },
    onSiteEvent: event => void events.push(event),
  })
  return { wallet, store, events, shown, state: () => last }
}

/** A wallet that is set up, unlocked, and connected to SITE with its first account. */
export const connectedWallet = async (options: Parameters<typeof startWallet>[0] = {}): Promise<Headless> => {
  const first = startWallet({ ...options, person: approve })
  await first.wallet.ui.createVault({ password: PASSWORD, phrase: PHRASE })
  await first.wallet.request(SITE, { id: 'connect', method: 'eth_requestAccounts' })
  return startWallet({ ...options, store: first.store })
}
