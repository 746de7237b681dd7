/** Builds the state for the wallet's pages. */
import { type Address, sameAddress, toAddress } from '@heliograph/shared/evm/address'
import { createdAddress } from '@heliograph/shared/evm/created-address'
import { decodeQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type {
  AccountView,
  AskedView,
  Effect,
  LookView,
  MutedView,
  NetworkView,
  PhraseView,
  RequestView,
  SessionPeerView,
  SiteView,
  UiState,
  WaitingView,
} from '../../messages.ts'
import type { Activity, ActivityStore } from '../activity/activity.ts'
import type { ChainResets } from '../activity/chain-resets.ts'
import { accountsOf } from '../keys/keyring.ts'
import type { AutoLock, Safety } from '../keys/safety.ts'
import type { Vault } from '../keys/vault.ts'
import type { Account, Phrase } from '../keys/vault-file.ts'
import { isOffered } from '../methods/connect-site.ts'
import type { KnownContracts } from '../networks/known-contracts.ts'
import { searchView } from '../networks/log-search.ts'
import { type ListedNetworks, type Networks, networkView } from '../networks/networks.ts'
import type { Muted, Rejections } from '../requests/gate.ts'
import type { Requests, WalletRequest } from '../requests/store.ts'
import type { Contacts } from '../review/contacts.ts'
import { worstOfEach } from '../review/findings.ts'
import type { Interfaces } from '../review/interfaces.ts'
import { reviewKnown } from '../review/known.ts'
import { readKnown } from '../review/records.ts'
import type { Sessions } from '../session/engine.ts'
import type { RegistrableDomain } from '../sites/registrable-domain.ts'
import type { Grants, LastAsked, Requester, SiteChoices, Sites } from '../sites/sites.ts'
import type { Subscriptions } from '../sites/subscriptions.ts'
import { type Cell, ifUnreadable } from '../storage/store.ts'
import type { Assets } from '../tokens/assets.ts'
import type { Found } from '../tokens/found.ts'
import type { IncomingStore } from '../tokens/incoming.ts'
import type { Kept } from '../tokens/kept.ts'
import type { Looking } from '../tokens/looking.ts'
import { type Look, type Looks, lookKey } from '../tokens/looks.ts'
import { activityViews } from '../transactions/activity-view.ts'
import type { Tasks } from '../work/tasks.ts'

export type UiStateParts = {
  vault: Vault
  sites: Sites
  networks: Networks
  assets: Assets
  contacts: Contacts
  interfaces: Interfaces
  found: Found
  incoming: IncomingStore
  kept: Kept
  looks: Looks
  looking: Pick<Looking, 'running'>
  /** False if the user switched the wallet's own looks off. */
  looksByItself: Cell<boolean>
  choices: SiteChoices
  lastAsked: LastAsked
  subscriptions: Subscriptions
  requests: Requests
  rejections: Rejections
  activity: ActivityStore
  chainResets: ChainResets
  /** Address of the account that the user selected last. */
  selectedAccount: Cell<string | null>
  /** Names of refused stored values whose notice the user has not dismissed yet. */
  reset: Cell<readonly string[]>
  /** Returns the names of stored values that cannot be read. */
  unreadable(): readonly string[]
  autoLock: AutoLock
  safety: Safety
  /** Code of the currency in which values are shown; null if they are off. */
  currency: Cell<string | null>
  /** Returns a function that computes a host's registrable domain. */
  registrableDomain(): Promise<RegistrableDomain>
  knownContracts: KnownContracts
  listedNetworks: ListedNetworks
  tasks: Tasks
  sessions: Sessions
  grants: Pick<Grants, 'siteOf'>
  /** Returns the peer of the session with this origin, or null. */
  peer(origin: string): Promise<SessionPeerView | null>
}

export const accountView = ({ address, name, source }: Account): AccountView => ({
  address,
  name,
  kind: source.kind,
  phraseId: source.kind === 'phrase' ? source.phraseId : null,
})

const phraseView = ({ id, phrase, passphrase, path }: Phrase): PhraseView => ({
  id,
  words: phrase.split(' ').length,
  path,
  hasPassphrase: passphrase !== '',
})

/** Returns the selected account, or the first. */
export const selectedOf = (accounts: readonly Account[], chosen: string | null) =>
  (accounts.find(({ address }) => chosen !== null && sameAddress(address, chosen)) ?? accounts[0])?.address ?? null

const closedPhase = async (vault: Vault) => ((await vault.phase()) === 'empty' ? 'empty' : 'locked')

const askedView = (asked: AskedView | undefined): AskedView | null =>
  asked ? { kind: asked.kind, at: asked.at, outcome: asked.outcome } : null

/** Returns all sites with permissions or settings. */
const readSites = async (parts: UiStateParts): Promise<SiteView[]> => {
  const { sites, networks, choices, lastAsked, subscriptions } = parts
  const [connected, apart, chosen] = await Promise.all([sites.list(), networks.sitesApart(), choices.list()])
  const [asked, counts] = await Promise.all([lastAsked.list(), subscriptions.counts()])
  const origins = new Set([...connected, ...chosen].map(({ origin }) => origin).concat(apart))
  const viewOf = async (origin: string): Promise<SiteView> => {
    const site = connected.find(candidate => candidate.origin === origin)
    const { asMetaMask, asEthereum, readsLocalNode, isBlocked } = await choices.of(origin)
    return {
      origin,
      since: site?.since ?? null,
      accounts: site?.accounts ?? [],
      chainId: apart.includes(origin) ? (await networks.of(origin)).chainId : null,
      asMetaMask,
      asEthereum,
      readsLocalNode,
      isBlocked,
      subscriptions: counts.get(origin) ?? 0,
      asked: askedView(asked.find(candidate => candidate.origin === origin)),
    }
  }
  return Promise.all([...origins].toSorted().map(viewOf))
}

/** Maximum number of activity entries in the state per account and network. Pages request older ones. */
export const MAX_SHOWN = 20

type Place = { account: Address; chainId: number }

const isSamePlace =
  ({ account, chainId }: Place) =>
  (other: Place): boolean =>
    other.chainId === chainId && sameAddress(other.account, account)

/** Returns the wallet's own account and network, and the account and network of each connected site. */
const placesOf = (own: Place, sites: readonly SiteView[]): readonly Place[] => {
  const ofSites = sites.flatMap(({ accounts: [first], chainId }) =>
    first === undefined ? [] : [{ account: toAddress(first), chainId: chainId ?? own.chainId }],
  )
  return [own, ...ofSites].filter((place, at, all) => all.findIndex(isSamePlace(place)) === at)
}

const lookView = ({ account, chainId }: Place, look: Look, isRunning: boolean): LookView => {
  const { at, isFailed, limits, tokens, collectibles, others, looked, unseen } = look
  const search = looked && searchView(looked)
  const status = isRunning ? 'running' : isFailed ? 'failed' : at === null ? 'pending' : 'done'
  return { account, chainId, status, at, tokens, collectibles, others, limits, search, unseen }
}

/** Returns the title of the network to which the effect sends assets, if it is in the catalogue. */
const destinationOf = async ({ listedNetworks }: UiStateParts, effect: Effect): Promise<string | null> => {
  const calls = effect.kind === 'calls' ? effect.calls : effect.kind === 'transaction' ? [effect] : []
  const gain = calls.flatMap(({ acts }) => acts).find(act => act.kind === 'gain' && act.chainId !== undefined)
  if (gain?.kind !== 'gain') return null
  return (await listedNetworks()).find(({ chainId }) => chainId === gain.chainId)?.title ?? null
}

/** Builds the state. While the wallet is locked, it contains only the origins and networks of pending requests. */
export const readUiState = async (parts: UiStateParts): Promise<UiState> => {
  const secrets = await parts.vault.peek()
  /** While the wallet is locked, the uses of nodes are left out, because they name accounts. */
  const viewOfNetwork = (network: Network): NetworkView => {
    const { nodeUses, ...view } = networkView(network, parts.networks.isAdded(network.chainId))
    return secrets && nodeUses ? { ...view, nodeUses } : view
  }
  const accounts = secrets ? accountsOf(secrets) : []
  const open = await parts.requests.open()
  // The unlock has approved these, but may have found that the user must decide.
  const unlocked = (await parts.requests.unfinished()).filter(({ effect }) => effect.kind === 'unlock')

  const waiting = async ({ key, requester, origin, top, panel, chainId }: WalletRequest): Promise<WaitingView> => ({
    id: key,
    origin,
    isRemote: requester.kind === 'session',
    top,
    ...(panel !== undefined && { panel }),
    since: (await parts.grants.siteOf(requester))?.since ?? null,
    network: viewOfNetwork(await parts.networks.get(chainId)),
  })

  const mutedView = async ({ origin, ...muted }: Muted): Promise<MutedView> => ({
    ...muted,
    origin,
    peer: (await parts.peer(origin))?.name ?? null,
  })

  const connectEffect = async (
    requester: Requester,
    effect: Extract<Effect, { kind: 'connect' }>,
  ): Promise<Effect> => ({
    ...effect,
    accounts: accounts.filter(({ address }) => isOffered(effect.only, address)).map(accountView),
    connected: (await parts.grants.siteOf(requester))?.accounts ?? [],
  })

  const effectView = async ({ requester, effect, account }: WalletRequest): Promise<Effect> => {
    if (effect.kind === 'connect') return connectEffect(requester, effect)
    if (effect.kind !== 'transaction' || effect.to !== null || account === null) return effect
    const nonce = effect.nonce ?? effect.nonces?.next
    if (nonce === undefined) return effect
    return { ...effect, creates: { address: createdAddress(toAddress(account), decodeQuantity(nonce)), nonce } }
  }

  const view = async (request: WalletRequest): Promise<RequestView> => {
    const { origin, method, revision, createdAt, effect, findings, account } = request
    const named = accounts.find(({ address }) => account !== null && sameAddress(address, account))
    const site = await waiting(request)
    // The request is compared with the records here, because contacts and accounts are unknown while locked, and may
    // have changed since the request.
    const known = reviewKnown({ origin, since: site.since, effect, account }, await readKnown(parts, request.chainId))
    return {
      ...site,
      method,
      revision,
      createdAt,
      account: named ? accountView(named) : null,
      effect: await effectView(request),
      findings: worstOfEach([...findings, ...known.findings]),
      parties: known.parties,
      destination: await destinationOf(parts, effect),
      peer: request.requester.kind === 'session' ? await parts.peer(origin) : null,
    }
  }

  const selected = selectedOf(accounts, await parts.selectedAccount.read())
  const { chainId } = await parts.networks.selected()
  const sites = secrets ? await readSites(parts) : []
  const records = await parts.activity.list().catch(ifUnreadable<readonly Activity[]>([]))
  const activityAt = async (place: Place) =>
    activityViews(records, place, await parts.interfaces.reader(place.chainId)).slice(0, MAX_SHOWN)
  const places = selected === null ? [] : placesOf({ account: selected, chainId }, sites)

  const looks = await parts.looks.all()
  const looksAt = (place: Place) => {
    const look = looks[lookKey(place)]
    return look ? [lookView(place, look, parts.looking.running() === place.chainId)] : []
  }

  const state: Omit<UiState, 'unreadable'> = {
    phase: secrets ? 'unlocked' : await closedPhase(parts.vault),
    passkeys: secrets ? [] : await parts.vault.passkeys(),
    accounts: accounts.map(accountView),
    hiddenAccounts: secrets ? secrets.accounts.filter(({ hidden }) => hidden).map(accountView) : [],
    phrases: secrets ? secrets.phrases.map(phraseView) : [],
    contacts: await parts.contacts.list(),
    selected,
    networks: (await parts.networks.list()).map(viewOfNetwork),
    networkList: await parts.networks.shown(),
    chainId,
    assets: secrets ? await parts.assets.list() : [],
    sites,
    requests: secrets ? await Promise.all(open.map(view)) : [],
    waiting: await Promise.all([...open, ...unlocked].map(waiting)),
    muted: secrets ? await Promise.all((await parts.rejections.muted()).map(mutedView)) : [],
    activity: (await Promise.all(places.map(activityAt))).flat(),
    looks: places.flatMap(looksAt),
    unseen: Object.entries(looks)
      .filter(([key]) => accounts.some(({ address }) => key.endsWith(address.toLowerCase())))
      .reduce((sum, [, look]) => sum + look.unseen, 0),
    looksByItself: await parts.looksByItself.read(),
    resetChains: secrets ? await parts.chainResets.list() : [],
    remote: await parts.sessions.view(),
    autoLockMinutes: await parts.autoLock.minutes(),
    safety: await parts.safety.read(),
    currency: await parts.currency.read(),
    reset: secrets ? await parts.reset.read() : [],
    task: parts.tasks.current(),
  }
  // `unreadable()` is complete only now, after everything was read.
  return { ...state, unreadable: secrets ? parts.unreadable() : [] }
}
