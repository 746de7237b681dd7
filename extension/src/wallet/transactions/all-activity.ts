/** The activity of all accounts on all networks: their transactions, and transfers to them. */
import { sameAddress } from '@heliograph/shared/evm/address'
import { decodeQuantity } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import type { ActivityEntry, ActivityFilter, ActivityPage, MoveView, TokenAct, TransferMark } from '../../messages.ts'
import type { Activity } from '../activity/activity.ts'
import { searchView } from '../networks/log-search.ts'
import { type ReadOwn, readCall } from '../review/call.ts'
import { indexAddresses } from '../review/lookalikes.ts'
import { usedAddresses } from '../review/records.ts'
import { type KnownParties, marksOf } from '../review/transfer-marks.ts'
import type { Asset } from '../tokens/assets.ts'
import type { CoinArrival } from '../tokens/coins.ts'
import type { Arrivals, Incoming } from '../tokens/incoming.ts'
import { activityView } from './activity-view.ts'

type Named = { address: string; name: string }

/** The wallet's records. `readOwn` decodes calls with the user's interfaces for a network. */
export type ActivityRecords = {
  activity: readonly Activity[]
  networks: readonly { network: Network; arrivals: Arrivals; readOwn: ReadOwn }[]
  accounts: readonly Named[]
  contacts: readonly Named[]
  assets: readonly Asset[]
}

/** Number of entries per page of the list. */
export const PAGE_SIZE = 50
/** Maximum number of sites offered as filters. */
const MAX_ORIGINS = 100
const LONGEST_TEXT = 100

type OnNetwork = ActivityRecords['networks'][number] & { listed: readonly Asset[]; parties: KnownParties }

const symbolOf = (token: string, { listed, arrivals }: OnNetwork): Pick<MoveView, 'symbol' | 'decimals' | 'listed'> => {
  const own = listed.find(({ address }) => sameAddress(address, token))
  if (own) return { symbol: own.symbol, decimals: own.decimals, listed: true }
  const claim = arrivals.tokens.find(({ address }) => sameAddress(address, token))
  return { symbol: claim?.symbol ?? null, decimals: claim?.decimals ?? null, listed: false }
}

/**
 * Converts the amount of `transferFrom` to an item id if the token is a collection, which is known from transfers to
 * the accounts.
 */
const assetOf = (
  { token, id, amount }: TokenAct & { kind: 'transfer' },
  { arrivals }: OnNetwork,
): Pick<MoveView, 'kind' | 'id' | 'amount'> => {
  const kind = arrivals.transfers.find(other => sameAddress(other.token, token))?.kind
  if (kind === 'erc721') return { kind, id: id ?? amount, amount: '1' }
  return { kind: id === null ? 'erc20' : 'erc1155', id, amount }
}

const nativeMove = (amount: string, counterpart: string, { network }: OnNetwork): MoveView => {
  const { symbol, decimals } = network.currency
  return { kind: 'native', token: null, id: null, symbol, decimals, listed: true, amount, counterpart }
}

const movesOfTransaction = ({ account, to, value, data }: Activity, on: OnNetwork): MoveView[] => {
  const coins = decodeQuantity(value)
  const native = coins === 0n ? [] : [nativeMove(String(coins), to ?? '', on)]
  const tokens = readCall({ from: account, to, data }, on.readOwn).acts.flatMap((act): MoveView[] => {
    if (act.kind !== 'transfer' || !sameAddress(act.from, account)) return []
    return [{ ...assetOf(act, on), token: act.token, counterpart: act.to, ...symbolOf(act.token, on) }]
  })
  return [...native, ...tokens]
}

const entryOfTransaction = (record: Activity, records: readonly Activity[], on: OnNetwork): ActivityEntry => ({
  id: record.hash,
  chainId: record.chainId,
  account: record.account,
  direction: 'out',
  hash: record.hash,
  time: record.settledAt ?? record.createdAt,
  block: record.block === null ? null : String(decodeQuantity(record.block)),
  status: record.status,
  moves: movesOfTransaction(record, on),
  marks: [],
  transaction: activityView(record, records, on.readOwn),
})

const entryOfIncoming = (transfer: Incoming, on: OnNetwork): ActivityEntry => {
  const { account, hash, time, block, index, item, kind, token, id, amount, from } = transfer
  const facts = symbolOf(token, on)
  return {
    id: `${on.network.chainId} ${block} ${index} ${item}`,
    chainId: on.network.chainId,
    account,
    direction: 'in',
    hash,
    time,
    block: String(block),
    status: 'confirmed',
    moves: [{ kind, token, id, amount, counterpart: from, ...facts }],
    marks: marksOf(transfer, facts.listed ? null : facts.symbol, on.parties),
    transaction: null,
  }
}

const entryOfCoins = ({ id, account, amount, block, time, from, hash }: CoinArrival, on: OnNetwork): ActivityEntry => ({
  id: `${on.network.chainId} coin ${id}`,
  chainId: on.network.chainId,
  ...{ account, direction: 'in', hash: hash ?? '', time, block: block === null ? null : String(block) },
  ...{ status: 'confirmed', moves: [nativeMove(amount, from ?? '', on)] },
  marks: from === null ? [] : marksOf({ from, amount }, null, on.parties),
  transaction: null,
})

/** Returns the known addresses on all networks, because an imitation can be on any of them. */
const partiesOf = ({ activity, accounts, contacts }: ActivityRecords): KnownParties['addresses'] => {
  const chainIds = [...new Set(activity.map(({ chainId }) => chainId))]
  const used = chainIds.flatMap(chainId => usedAddresses(activity, chainId))
  return indexAddresses([...accounts, ...contacts, ...used.map(({ address }) => ({ address, name: '' }))])
}

/**
 * Sorts by time, newest first. An entry without a time comes first, because the search could not read its block's time
 * yet.
 */
const byTime = (one: ActivityEntry, other: ActivityEntry): number =>
  (other.time ?? Number.MAX_SAFE_INTEGER) - (one.time ?? Number.MAX_SAFE_INTEGER)

const wordsOf = ({ hash, account, moves, transaction }: ActivityEntry, named: readonly Named[]): string => {
  const parties = [account, ...moves.map(({ counterpart }) => counterpart), transaction?.to ?? '']
  const names = named.filter(({ address }) => parties.some(party => sameAddress(party, address)))
  return [
    ...[hash, transaction?.origin ?? '', ...parties, ...names.map(({ name }) => name)],
    ...moves.flatMap(({ symbol, token, id }) => [symbol ?? '', token ?? '', id ?? '']),
  ]
    .join('\n')
    .toLowerCase()
}

/** True if the entry moves the asset, or is a transaction to the token's contract, such as an approval. */
const isOfAsset = ({ moves, transaction }: ActivityEntry, asset: string | null): boolean =>
  asset === null
    ? moves.some(({ token }) => token === null)
    : [transaction?.to, ...moves.map(({ token }) => token)].some(one => one != null && sameAddress(one, asset))

const matcherOf = (filter: ActivityFilter, { accounts, contacts }: ActivityRecords) => {
  const wanted = filter.text.trim().slice(0, LONGEST_TEXT).toLowerCase()
  const named = [...accounts, ...contacts]
  return (entry: ActivityEntry): boolean =>
    (filter.account === null || sameAddress(entry.account, filter.account)) &&
    (filter.chainId === null || entry.chainId === filter.chainId) &&
    (filter.direction === null || entry.direction === filter.direction) &&
    (filter.status === null || entry.status === filter.status) &&
    (filter.origin === null || entry.transaction?.origin === filter.origin) &&
    (filter.from === null || (entry.time !== null && entry.time >= filter.from)) &&
    (filter.until === null || (entry.time !== null && entry.time < filter.until)) &&
    (filter.asset === undefined || isOfAsset(entry, filter.asset)) &&
    (wanted === '' || wordsOf(entry, named).includes(wanted))
}

const isMarked = ({ marks }: { marks: readonly TransferMark[] }): boolean => marks.length > 0

/**
 * Returns the matching entries of the wallet's accounts and networks, newest first, starting at entry number `skip`.
 */
export const listActivity = (records: ActivityRecords, filter: ActivityFilter, skip: number): ActivityPage => {
  const { activity, networks, accounts, assets } = records
  const isOwn = (account: string) => accounts.some(({ address }) => sameAddress(address, account))
  const own = activity.filter(({ account }) => isOwn(account))
  const addresses = partiesOf(records)
  const all = networks.flatMap(one => {
    const { chainId, currency } = one.network
    const listed = assets.filter(asset => asset.chainId === chainId)
    const on = {
      ...one,
      listed,
      parties: { addresses, symbols: [currency.symbol, ...listed.map(({ symbol }) => symbol)] },
    }
    return [
      ...own.filter(record => record.chainId === chainId).map(record => entryOfTransaction(record, activity, on)),
      ...one.arrivals.transfers.filter(({ account }) => isOwn(account)).map(transfer => entryOfIncoming(transfer, on)),
      ...(one.arrivals.coins?.received ?? [])
        .filter(({ account }) => isOwn(account))
        .map(coins => entryOfCoins(coins, on)),
    ]
  })
  const matching = all.filter(matcherOf(filter, records))
  const shown = filter.hidesMarked ? matching.filter(entry => !isMarked(entry)) : matching
  return {
    entries: shown.toSorted(byTime).slice(skip, skip + PAGE_SIZE),
    total: shown.length,
    marked: matching.filter(isMarked).length,
    origins: [...new Set(own.flatMap(({ origin }) => origin ?? []))].toSorted().slice(0, MAX_ORIGINS),
    searches: networks.flatMap(({ network, arrivals: { looked, isCut } }) =>
      looked === null ? [] : [{ chainId: network.chainId, isCut, search: searchView(looked) }],
    ),
  }
}
