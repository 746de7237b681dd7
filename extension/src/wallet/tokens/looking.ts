/**
 * Looks for the accounts' tokens and collectibles without being asked, through the nodes that the user chose, while the
 * wallet is unlocked: once for each account, network and node, and then from time to time for new transfers. It waits
 * while a request is open, ends as soon as a task of the user starts, and continues where it ended.
 */
import { RpcError } from '@heliograph/shared/errors'
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import type { Network } from '@heliograph/shared/network'
import type { LookLimit } from '../../messages.ts'
import type { ActivityStore } from '../activity/activity.ts'
import { accountsOf } from '../keys/keyring.ts'
import type { Vault } from '../keys/vault.ts'
import { guardChain } from '../networks/guarded-chain.ts'
import type { Networks } from '../networks/networks.ts'
import type { Chain } from '../networks/node.ts'
import { nodesFor } from '../networks/node-uses.ts'
import type { Requests } from '../requests/store.ts'
import type { Cell } from '../storage/store.ts'
import { report } from '../text/errors.ts'
import type { Tasks } from '../work/tasks.ts'
import { createSignal, type Observable } from '../work/turns.ts'
import type { Assets } from './assets.ts'
import { lookAtCoins } from './coin-search.ts'
import { NO_COINS, withCoinsSeen } from './coins.ts'
import type { Found } from './found.ts'
import { type Arrivals, type IncomingStore, withSeen } from './incoming.ts'
import type { ListedTokens } from './listed-tokens.ts'
import { type LookParts, lookAtBalances, lookAtLogs, summarize } from './look-steps.ts'
import { type Look, type Looks, lookKey, MAX_LOOKS, NO_LOOK } from './looks.ts'

export type LookingParts = {
  /** False if the user switched it off. */
  isOn: Cell<boolean>
  looks: Looks
  vault: Pick<Vault, 'peek'>
  networks: Pick<Networks, 'list' | 'selected' | 'shown'>
  selectedAccount: Cell<string | null>
  requests: Pick<Requests, 'open'>
  assets: Assets
  found: Found
  incoming: IncomingStore
  activity: Pick<ActivityStore, 'list'>
  listedTokens: ListedTokens
  chain: Chain
  tasks: Pick<Tasks, 'behind'>
  now(): number
}

type Place = { network: Network; accounts: readonly Address[] }

/** Observers are notified when a look at a network starts and ends. */
export type Looking = Observable & {
  /** Starts what is due. Resolves, without waiting for it, with the ms until there is more to do; null if never. */
  tend(): Promise<number | null>
  /** Resolves with the ids of the looks that are due. */
  due(): Promise<readonly string[]>
  /** Returns the chain id of the network that is being looked at, or null. */
  running(): number | null
  /** Makes all looks on a network due. Throws 4100 while locked. */
  again(chainId: number): Promise<void>
  /** Records that the user has seen an account's transfers. Throws 4100 while locked. */
  see(owner: { chainId: number; account: Address }): Promise<void>
}

/** Delays in ms until the next look for new transfers, and after a node was unreachable. */
export const NEWS_PAUSE = 10 * 60_000
export const RETRY_PAUSE = 5 * 60_000
/** Delay in ms until a look that is due, or running, is tended again. */
export const BUSY_PAUSE = 30_000
/** Maximum number of accounts and networks that are looked at, and of calls to a network's node in one look. */
export const MOST_ACCOUNTS = 20
export const MOST_NETWORKS = MAX_LOOKS / MOST_ACCOUNTS
export const MOST_CALLS = 2_000

/** Ends a look: it has to pause, or it has made as many calls as it may. */
class Stopped extends Error {
  override name = 'Stopped'
  readonly isPaused: boolean

  constructor(isPaused: boolean) {
    super('The look was stopped')
    this.isPaused = isPaused
  }
}

/** Names the nodes from which the account's holdings are read. */
const nodesOf = (network: Network, account: Address): string => nodesFor(network, account).read.join(' ')

const dueAt = (look: Look | undefined, network: Network, account: Address): number => {
  if (look === undefined || look.at === null || look.nodes !== nodesOf(network, account)) return 0
  return look.at + (look.isFailed ? RETRY_PAUSE : NEWS_PAUSE)
}

/** True if there are transfers to the account after those that the look knows. */
const hasNewer = ({ transfers }: Arrivals, account: Address, look: Look | undefined): boolean =>
  transfers.some(one => one.block > (look?.looked?.to ?? -1) && sameAddress(one.account, account))

export const createLooking = (parts: LookingParts): Looking => {
  const { isOn, looks, vault, networks, requests, incoming, listedTokens, tasks, now } = parts
  const { observe, notify } = createSignal()
  let running: number | null = null
  let isBusy = false

  /** Returns the networks with a node and the accounts, the selected ones first. None while locked or switched off. */
  const places = async (): Promise<readonly Place[]> => {
    const secrets = await vault.peek()
    if (!secrets || !(await isOn.read())) return []
    const chosen = await parts.selectedAccount.read()
    const isChosen = (account: Address) => Number(chosen !== null && sameAddress(chosen, account))
    const accounts = accountsOf(secrets)
      .map(({ address }) => address)
      .toSorted((one, other) => isChosen(other) - isChosen(one))
      .slice(0, MOST_ACCOUNTS)
    const [all, { hidden }, { chainId }] = await Promise.all([networks.list(), networks.shown(), networks.selected()])
    return all
      .filter(network => network.rpcUrls.length > 0 && !hidden.includes(network.chainId))
      .toSorted((one, other) => Number(other.chainId === chainId) - Number(one.chainId === chainId))
      .slice(0, MOST_NETWORKS)
      .map(network => ({ network, accounts }))
  }
  const dueTimes = async () => {
    const [all, known] = await Promise.all([places(), looks.all()])
    return all.flatMap(({ network, accounts }) =>
      accounts.map(account => {
        const key = lookKey({ chainId: network.chainId, account })
        const nodes = nodesOf(network, account)
        return { id: `look ${key} ${nodes}`, network, accounts, at: dueAt(known[key], network, account) }
      }),
    )
  }
  const isDue = ({ at }: { at: number }) => at <= now()

  /** Throws Stopped if the look must not contact the node. */
  const assertMayAsk = async ({ network }: Place, signal: AbortSignal) => {
    const nodesIn = ({ rpcUrls, nodeUses }: Network) => JSON.stringify([rpcUrls, nodeUses])
    const mayGoOn = (await places()).some(
      other => other.network.chainId === network.chainId && nodesIn(other.network) === nodesIn(network),
    )
    if (signal.aborted || !mayGoOn || (await requests.open()).length > 0) throw new Stopped(true)
  }

  const begin = async ({ network, accounts }: Place) => {
    for (const account of accounts) {
      const nodes = nodesOf(network, account)
      await looks.update({ chainId: network.chainId, account }, look =>
        look.nodes === nodes ? look : { ...NO_LOOK, unseen: look.unseen, nodes },
      )
    }
  }
  const end = async ({ network, accounts }: Place, change: (look: Look) => Partial<Look>) => {
    for (const account of accounts)
      await looks.update({ chainId: network.chainId, account }, look => ({ ...look, ...change(look), at: now() }))
  }

  /** Looks at a network. A step that the node refuses leaves the others unaffected. Throws Stopped if it must pause. */
  const lookAt = async (place: Place, signal: AbortSignal) => {
    const { network, accounts } = place
    const { chainId } = network
    let calls = 0
    const chain = guardChain(parts.chain, async count => {
      calls += count
      if (calls > MOST_CALLS) throw new Stopped(false)
      await assertMayAsk(place, signal)
    })
    const steps: LookParts = { ...parts, chain, network, accounts, listed: await listedTokens(chainId) }
    const limits = new Set<LookLimit>()
    await begin(place)
    try {
      const known = await looks.all()
      const unread = accounts.filter(account => !known[lookKey({ chainId, account })]?.isListedRead)
      for (const limit of await lookAtBalances(steps, unread)) limits.add(limit)
      for (const limit of await lookAtLogs(steps, () => {
        if (signal.aborted) throw new Stopped(true)
      }))
        limits.add(limit)
      const gained = await lookAtCoins(steps)
      const arrivals = await incoming.of(chainId)
      for (const account of accounts) {
        const hasGained = gained.includes(account)
        const isNew =
          unread.includes(account) || hasGained || hasNewer(arrivals, account, known[lookKey({ chainId, account })])
        const counts = isNew ? await summarize(steps, account) : {}
        await looks.update({ chainId, account }, look => ({
          ...look,
          ...counts,
          looked: arrivals.looked,
          isListedRead: true,
        }))
      }
      // A node without logs can tell about new tokens only by their balances, which the next look reads again.
      await end(place, ({ limits: before, isListedRead }) => ({
        isFailed: false,
        isListedRead: isListedRead && !limits.has('noLogs'),
        limits: [...limits, ...(unread.length === 0 ? before.filter(limit => limit === 'fewListed') : [])],
      }))
    } catch (error) {
      if (error instanceof Stopped && error.isPaused) throw error
      if (error instanceof Stopped) return end(place, () => ({ isFailed: false, limits: [...limits, 'olderBlocks'] }))
      if (!(error instanceof RpcError)) report(error)
      await end(place, () => ({ isFailed: true }))
    }
  }

  const run = async () => {
    if (isBusy) return
    isBusy = true
    try {
      await tasks.behind(async signal => {
        for (;;) {
          const next = (await dueTimes()).find(isDue)
          if (!next || signal.aborted) return
          running = next.network.chainId
          notify()
          await lookAt(next, signal)
        }
      })
    } catch (error) {
      // A write fails once the wallet is locked. The look continues after the next unlock.
      if (!(error instanceof Stopped) && (await vault.peek()) !== null) report(error)
    } finally {
      isBusy = false
      running = null
      notify()
    }
  }

  return {
    observe,
    tend: async () => {
      const all = await dueTimes()
      if (all.length === 0) return null
      if (all.some(isDue)) {
        void run()
        return BUSY_PAUSE
      }
      return Math.max(BUSY_PAUSE, Math.min(...all.map(({ at }) => at)) - now())
    },
    due: async () => (await dueTimes()).filter(isDue).map(({ id }) => id),
    running: () => running,
    again: async chainId => {
      const place = (await places()).find(({ network }) => network.chainId === chainId)
      for (const account of place?.accounts ?? [])
        await looks.update({ chainId, account }, look => ({ ...look, at: null, isListedRead: false }))
    },
    see: async ({ chainId, account }) => {
      await incoming.update(chainId, arrivals => ({
        ...withSeen(arrivals, account),
        coins: withCoinsSeen(arrivals.coins ?? NO_COINS, account),
      }))
      const known = (await looks.all())[lookKey({ chainId, account })]
      if (known && known.unseen > 0) await looks.update({ chainId, account }, look => ({ ...look, unseen: 0 }))
    },
  }
}

/** A wallet without a catalogue of tokens does not look by itself. */
export const NO_LOOKING: Looking = {
  observe: () => {},
  tend: async () => null,
  due: async () => [],
  running: () => null,
  again: async () => {},
  see: async () => {},
}
