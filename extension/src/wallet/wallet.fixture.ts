/** A headless wallet for tests: stores in memory, a fake chain, and a simulated user. */
import { readFileSync } from 'node:fs'
import { encodeQuantity, type Hex } from '@heliograph/shared/evm/hex'
import { hashTransaction } from '@heliograph/shared/evm/transaction'
import type { RequestView, UiState } from '../messages.ts'
import type { Download } from './collectibles/download.ts'
import type { DrawPicture } from './collectibles/picture.ts'
import type { Filled } from './fees/filled.ts'
import { ACCOUNTS_PATH } from './keys/derivation.ts'
import type { CommonPasswords } from './keys/password.ts'
import type { WordLists } from './keys/phrase.ts'
import { createTrustedStore, type TrustedStore } from './keys/trusted-store.ts'
import { createVault } from './keys/vault.ts'
import type { KdfCost } from './keys/vault-file.ts'
import type { ContractList } from './networks/known-contracts.ts'
import { testNetworks } from './networks/networks.fixture.ts'
import type { ListedNetworks } from './networks/networks.ts'
import { refusal } from './networks/node.fixture.ts'
import type { Chain } from './networks/node.ts'
import type { Sockets } from './session/relay-client.ts'
import { publicSuffixes } from './sites/registrable-domain.fixture.ts'
import type { SiteEvent } from './sites/sites.ts'
import { copyOfStores, type MapStores, mapStores } from './storage/store.fixture.ts'
import { memoryStore, type Stores } from './storage/store.ts'
import type { TokenList } from './tokens/listed-tokens.ts'
import type { FeedList } from './values/feeds.ts'
import { createWallet } from './wallet.ts'
import type { Wallet, WalletParts } from './wallet-parts.ts'

/** The phrase of the BIP-39 test vectors and of development chains. */
export const PHRASE = 'test test test test test test test test test test test junk'
export const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** Derivation of the phrase's accounts. */
export const DERIVATION = { phrase: PHRASE, passphrase: '', path: ACCOUNTS_PATH }
export const PASSWORD = 'correct horse battery'
export const ADDRESS_LOWER = ADDRESS.toLowerCase()
/** The phrase's second account. */
export const SECOND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** Private keys of the first two accounts. */
export const FIRST_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
export const SECOND_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
export const SITE = 'https://site.example'
export const OTHER_SITE = 'https://other.example'
/** Secrets in format version 1, which had only phrases. */
export const SECRETS_V1 = {
  version: 1,
  keyrings: [
    {
      kind: 'phrase',
      phrase: PHRASE,
      accounts: [
        { name: 'Account 1', address: ADDRESS, index: 0 },
        { name: 'Savings', address: SECOND, index: 1 },
      ],
    },
  ],
}

/** Initial time of the wallet's clock. */
export const NOW = 1_700_000_000_000
/** Minimum cost, to keep tests fast. */
export const CHEAP_KDF = { memory: 8, passes: 1, lanes: 1 }

/** Minimum cost, to keep tests fast. */
export const CHEAP_KEYSTORE = { n: 2, r: 8, p: 1 }

export const wordLists: WordLists = async language =>
  (await import(/* @vite-ignore */ `@scure/bip39/wordlists/${language}.js`)).wordlist

/** The first entries of the extension's list. */
export const commonPasswords: CommonPasswords = async () => ['password', '12345678', 'qwertyuiop']

const catalogue = JSON.parse(readFileSync(new URL('../../public/networks.json', import.meta.url), 'utf8'))

/** The extension's catalogue of networks. */
export const listedNetworks: ListedNetworks = async () => catalogue

const quietChain: Chain = async (_network, method) => {
  throw new Error(`The test defines no result for ${method}`)
}

const contracts = JSON.parse(readFileSync(new URL('../../public/contracts.json', import.meta.url), 'utf8'))

/** The extension's catalogue of contracts. */
export const contractList: ContractList = async () => contracts

const feeds = JSON.parse(readFileSync(new URL('../../public/feeds.json', import.meta.url), 'utf8'))

/** The extension's catalogue of price feeds. */
export const feedList: FeedList = async () => feeds

/** Returns the picture unchanged. */
export const drawPicture: DrawPicture = async (bytes, type) => ({ bytes, type })

/** Sockets that never reach a relay. */
export const noSockets: Sockets = {
  open: (_name, _url, listener) => {
    queueMicrotask(() => listener.closed(1006, ''))
    return { send: () => undefined, close: () => undefined }
  },
  closeAll: () => undefined,
}

/** Default networks with nodes at public addresses, from which unconnected sites can read. */
export const PUBLIC_NETWORKS = testNetworks.map(network =>
  network.rpcUrls.length === 0 ? network : { ...network, rpcUrls: ['https://node.example/'] },
)

export type Answers = Record<string, (params: readonly unknown[]) => unknown>

/** Fees of an ordinary transaction. */
export const USUAL_PRICE: Pick<Filled, 'ownGas' | 'market'> = {
  ownGas: 1_000_000n,
  market: {
    fees: { baseFee: 1n, tips: { slow: 1n, normal: 1n, fast: 1n }, recentBaseFees: [], blockGas: null },
    price: { believed: 2n, jumpedFrom: null },
  },
}

/** Creates a node with only these methods. */
export const chainOf =
  (answers: Answers): Chain =>
  async (_network, method, params = []) => {
    const answer = answers[method]
    if (!answer) throw refusal('methodNotFound', `no ${method} here`)
    return answer(params)
  }

/**
 * Creates an in-memory node. Its base fee is 100 wei, its tip 2 wei, and its gas estimate 21000 for everything. Each
 * account has 100 coins, and the pool counts the nonces of sent transactions.
 */
export const startNode = (answers: Answers = {}): { chain: Chain; sent: Hex[] } => {
  const sent: Hex[] = []
  const chain = chainOf({
    eth_getBlockByNumber: () => ({ baseFeePerGas: '0x64' }),
    eth_maxPriorityFeePerGas: () => '0x2',
    eth_gasPrice: () => '0x66',
    eth_estimateGas: () => '0x5208',
    eth_getBalance: () => encodeQuantity(10n ** 20n),
    // Sent transactions stay pending, so no nonces are used on the chain.
    eth_getTransactionCount: ([, block]) => encodeQuantity(block === 'latest' ? 0 : sent.length),
    eth_getTransactionByHash: ([hash]) => (sent.some(raw => hashTransaction(raw) === hash) ? { hash } : null),
    eth_sendRawTransaction: ([raw]) => {
      sent.push(raw as Hex)
      return hashTransaction(raw)
    },
    ...answers,
  })
  return { chain, sent }
}

const isWaitingForNode = ({ findings }: RequestView): boolean => findings.some(({ name }) => name === 'waitingForNode')

export type Person = (request: RequestView) => { approve: boolean; accounts?: readonly string[] } | undefined

export const approve: Person = ({ effect }) =>
  effect.kind === 'connect'
    ? { approve: true, accounts: effect.accounts.map(({ address }) => address) }
    : { approve: true }

export const reject: Person = () => ({ approve: false })
export const undecided: Person = () => undefined

export type Headless = {
  wallet: Wallet
  /** Sends a request from SITE with a new id. */
  ask(method: string, ...params: readonly unknown[]): Promise<unknown>
  store: Stores
  events: SiteEvent[]
  /** Site settings after each change. */
  choices: unknown[]
  shown: string[]
  /** Requested lock times. The last one is in effect. */
  locks: (number | null)[]
  state: () => UiState | undefined
}

/** Starts a wallet. Passing the same `store` again simulates a worker restart. */
export const startWallet = (
  options: {
    person?: Person
    chain?: Chain
    store?: Stores
    networks?: typeof testNetworks
    kdfCost?: KdfCost
    now?(): number
    isThere?: (page: string) => Promise<boolean>
    sockets?: Sockets
    relays?: readonly string[]
    download?: Download
    onChoices?: WalletParts['onChoices']
    panels?: WalletParts['panels']
    showNotice?: WalletParts['showNotice']
    isInFront?: WalletParts['isInFront']
    /** Without it, the wallet does not look for tokens by itself. */
    tokenList?: TokenList
    onWork?(): void
  } = {},
): Headless => {
  const { person = approve, chain = quietChain, networks = testNetworks } = options
  const { now = () => NOW, isThere = async () => true, onWork = () => {} } = options
  const store = options.store ?? { local: memoryStore(), session: memoryStore() }
  const events: SiteEvent[] = []
  const choices: unknown[] = []
  const shown: string[] = []
  const locks: (number | null)[] = []
  let asked = 0
  let last: UiState | undefined
  /** True if the user waits for a slow node, without which a request cannot be approved. */
  let isWaiting = false
  const decideAll = async () => {
    const { requests } = await wallet.ui.getState(null)
    isWaiting = requests.some(isWaitingForNode)
    for (const request of requests.filter(one => !isWaitingForNode(one))) {
      const decision = person(request)
      if (decision) await wallet.ui.decide({ id: request.id, revision: request.revision, ...decision })
    }
  }
  const wallet: Wallet = createWallet({
    store,
    networks,
    chain,
    approvalWindow: {
      show: async () => {
        shown.push('approval')
        void decideAll()
      },
      isShown: async () => false,
      hide: async () => void shown.push('hidden'),
      setUp: async () => void shown.push('set-up'),
    },
    clock: { now },
    wordLists,
    commonPasswords,
    publicSuffixes,
    listedNetworks,
    contractList,
    feedList,
    ...(options.tokenList && { tokenList: options.tokenList }),
    ...(options.panels && { panels: options.panels }),
    ...(options.showNotice && { showNotice: options.showNotice }),
    ...(options.isInFront && { isInFront: options.isInFront }),
    ...(options.download && { download: options.download }),
    drawPicture,
    sockets: options.sockets ?? noSockets,
    relays: options.relays ?? [],
    lockAt: time => void locks.push(time),
    isThere,
    activeSite: async () => ({ origin: SITE }),
    onChoices: options.onChoices ?? (async changed => void choices.push(changed)),
    version: '1.2.3',
    kdfCost: options.kdfCost ?? CHEAP_KDF,
    keystoreCost: CHEAP_KEYSTORE,
    onSiteEvent: event => void events.push(event),
  })
  wallet.observeState(state => {
    last = state
    if (isWaiting && !state.requests.some(isWaitingForNode)) void decideAll()
  })
  wallet.observeWork(onWork)
  const ask: Headless['ask'] = (method, ...params) => wallet.request(SITE, { id: `asked ${++asked}`, method, params })
  return { wallet, ask, store, events, choices, shown, locks, state: () => last }
}

/** Opens the settings and records of an unlocked wallet, as another worker would. */
export const trustedOf = (stores: Stores): TrustedStore =>
  createTrustedStore(stores, createVault(stores, commonPasswords, CHEAP_KDF))

type WalletOptions = NonNullable<Parameters<typeof startWallet>[0]>

/** Makes stores once and returns copies of them, because creating a wallet takes 30 ms of processor time. */
const madeOnce = (make: (store: Stores) => Promise<unknown>) => {
  let made: Promise<MapStores> | undefined
  return async (): Promise<Stores> => {
    made ??= Promise.resolve(mapStores()).then(async kept => {
      await make(kept.stores)
      return kept
    })
    return copyOfStores(await made)
  }
}

const createIn = async (options: WalletOptions): Promise<Headless> => {
  const headless = startWallet(options)
  await headless.wallet.ui.createVault({ password: PASSWORD, phrase: PHRASE })
  return headless
}
const connectIn = async (options: WalletOptions): Promise<Stores> => {
  const { wallet, store } = await createIn({ ...options, person: approve })
  await wallet.request(SITE, { id: 'connect', method: 'eth_requestAccounts' })
  return store
}
const createdStores = madeOnce(store => createIn({ store }))
const connectedStores = madeOnce(store => connectIn({ store }))

/** True if a wallet with these options uses the stores that are made once. */
const isUsual = ({ store, networks, kdfCost, now }: WalletOptions): boolean =>
  [store, networks, kdfCost, now].every(option => option === undefined)

/** Creates an unlocked wallet whose first account is connected to SITE. */
export const connectedWallet = async (options: WalletOptions = {}): Promise<Headless> =>
  startWallet({ ...options, store: await (isUsual(options) ? connectedStores() : connectIn(options)) })

/**
 * Like `connectedWallet`, and records the requests that were shown to the user. The user approves everything, unless
 * the options have another user.
 */
export const recordingWallet = async (options: WalletOptions = {}) => {
  const { person = approve } = options
  const seen: RequestView[] = []
  const headless = await connectedWallet({
    ...options,
    person: request => {
      seen.push(request)
      return person(request)
    },
  })
  return { ...headless, seen }
}

/** Creates an unlocked wallet. */
export const createdWallet = async (options: WalletOptions = {}): Promise<Headless> =>
  isUsual(options) ? startWallet({ ...options, store: await createdStores() }) : createIn(options)
