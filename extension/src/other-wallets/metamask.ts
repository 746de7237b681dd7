/**
 * Reads MetaMask's files: the data that a user exports (`MetaMaskUserData….json`), and the state logs of the extension
 * and the mobile app. For the formats, see `app/scripts/lib/backup.js` and `app/scripts/lib/state-utils.ts` in
 * github.com/MetaMask/metamask-extension, `app/util/logs` in github.com/MetaMask/metamask-mobile, and the types of
 * AddressBookController, AccountsController and NetworkController in github.com/MetaMask/core.
 */
import * as v from 'valibot'
import type { ImportEntry, NetworkEntry } from '../messages.ts'
import { type Export, MAX_LISTED_NODES, MAX_TEXT } from './export.ts'

const text = v.pipe(
  v.string(),
  v.transform(value => value.slice(0, MAX_TEXT)),
)
/** A text member that may be missing, null or malformed without invalidating its entry. */
const optionalText = v.fallback(text, '')
/** Objects by key, each still unchecked. */
const byKey = v.fallback(v.record(v.string(), v.unknown()), {})
const list = v.fallback(v.array(v.unknown()), [])

/** A chain id: 0x hex, or a decimal number in old files. Refuses the CAIP-2 names of chains that are not EVM chains. */
const chainId = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(String),
  v.regex(/^(?:0x[0-9a-f]{1,13}|\d{1,15})$/i),
  v.transform(Number),
)

/** Address book: chain id → address → contact. */
const Contact = v.object({ address: text, name: optionalText })

/** An account. `metadata.name` is the name that the user gave it. */
const Account = v.object({
  address: v.pipe(v.string(), v.regex(/^0x/i), v.maxLength(MAX_TEXT)),
  metadata: v.fallback(v.object({ name: optionalText }), { name: '' }),
})
/** An account in versions before 2023. */
const Identity = v.object({ address: text, name: optionalText })

const Endpoint = v.object({ type: optionalText, url: text })

/** A network since version 12: one description per chain, with several nodes. */
const Configuration = v.pipe(
  v.object({
    chainId,
    name: optionalText,
    nativeCurrency: optionalText,
    rpcEndpoints: list,
    blockExplorerUrls: list,
    defaultBlockExplorerUrlIndex: v.fallback(v.number(), 0),
  }),
  v.transform(
    (given): NetworkEntry => ({
      kind: 'network',
      chainId: given.chainId,
      title: given.name,
      symbol: given.nativeCurrency,
      explorerUrl: v.parse(optionalText, given.blockExplorerUrls[given.defaultBlockExplorerUrlIndex]),
      rpcUrls: given.rpcEndpoints.flatMap(endpoint =>
        v.is(Endpoint, endpoint) && endpoint.type !== 'infura' ? [v.parse(text, endpoint.url)] : [],
      ),
    }),
  ),
)

/** A network until version 11: one description per node. The name was `chainName` before it was `nickname`. */
const OldConfiguration = v.pipe(
  v.object({
    chainId,
    nickname: optionalText,
    chainName: optionalText,
    ticker: optionalText,
    rpcUrl: optionalText,
    rpcPrefs: v.fallback(v.object({ blockExplorerUrl: optionalText }), { blockExplorerUrl: '' }),
  }),
  v.transform(
    (given): NetworkEntry => ({
      kind: 'network',
      chainId: given.chainId,
      title: given.nickname || given.chainName,
      symbol: given.ticker,
      explorerUrl: given.rpcPrefs.blockExplorerUrl,
      rpcUrls: given.rpcUrl === '' ? [] : [given.rpcUrl],
    }),
  ),
)

/** The parts of MetaMask's state that are read, in every kind of file. */
const State = v.object({
  addressBook: byKey,
  internalAccounts: v.fallback(v.object({ accounts: byKey }), { accounts: {} }),
  identities: byKey,
  networkConfigurationsByChainId: byKey,
  networkConfigurations: byKey,
})
type State = v.InferOutput<typeof State>

const members = v.record(v.string(), v.unknown())
const part = v.nullish(members, {})

/** State logs of the extension: all controllers in one object. */
const StateLog = v.object({ metamask: members })
/** State logs of the mobile app: controllers by name. */
const MobileLog = v.object({
  engine: v.object({
    backgroundState: v.object({
      AddressBookController: part,
      AccountsController: part,
      PreferencesController: part,
      NetworkController: part,
    }),
  }),
})
/** The exported data, with a member for each controller. */
const UserData = v.object({ addressBook: part, internalAccounts: part, network: part, preferences: part })
const USER_DATA = ['addressBook', 'internalAccounts', 'network']

/** Merges the members of all controllers into one object. Returns undefined for any other JSON. */
const controllersOf = (json: unknown): Record<string, unknown> | undefined => {
  if (v.is(StateLog, json)) return json.metamask
  const mobile = v.safeParse(MobileLog, json)
  if (mobile.success) {
    const { backgroundState } = mobile.output.engine
    return {
      ...backgroundState.NetworkController,
      ...backgroundState.PreferencesController,
      ...backgroundState.AddressBookController,
      ...backgroundState.AccountsController,
    }
  }
  const data = v.safeParse(UserData, json)
  if (!data.success || !v.is(members, json) || !USER_DATA.some(name => Object.hasOwn(json, name))) return undefined
  const { addressBook, internalAccounts, network, preferences } = data.output
  return { ...network, ...addressBook, ...internalAccounts, identities: preferences.identities }
}

/** Removes repeated contacts: a contact is listed for each chain on which it was used. */
const withoutRepeats = (entries: readonly ImportEntry[]): ImportEntry[] => {
  const seen = new Set<string>()
  return entries.filter(entry => {
    const key = JSON.stringify(entry).toLowerCase()
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Merges repeated descriptions of a chain: keeps the first one, with all nodes. */
const joined = (networks: readonly NetworkEntry[]): NetworkEntry[] => {
  const byChain = new Map<number, { network: NetworkEntry; urls: Set<string> }>()
  for (const network of networks) {
    const known = byChain.get(network.chainId) ?? { network, urls: new Set() }
    for (const url of network.rpcUrls) if (known.urls.size < MAX_LISTED_NODES) known.urls.add(url)
    byChain.set(network.chainId, known)
  }
  return [...byChain.values()].map(({ network, urls }) => ({ ...network, rpcUrls: [...urls] }))
}

const entriesOf = (state: State): Export => {
  let unreadable = 0
  const readAll = <T>(schema: v.GenericSchema<unknown, T>, values: readonly unknown[]): T[] =>
    values.flatMap(value => {
      if (value === null || value === undefined) return []
      const parsed = v.safeParse(schema, value)
      if (parsed.success) return [parsed.output]
      unreadable++
      return []
    })
  const accounts = readAll(Account, Object.values(state.internalAccounts.accounts))
  const identities = readAll(Identity, Object.values(state.identities))
  const contacts = readAll(Contact, readAll(members, Object.values(state.addressBook)).flatMap(Object.values))
  const networks = [
    ...readAll(Configuration, Object.values(state.networkConfigurationsByChainId)),
    ...readAll(OldConfiguration, Object.values(state.networkConfigurations)),
  ]
  const named = [
    ...accounts.map(({ address, metadata }) => ({ address, name: metadata.name })),
    ...(accounts.length > 0 ? [] : identities),
  ]
  const entries = withoutRepeats([
    ...named.map(({ address, name }) => ({ kind: 'watchOnly' as const, address, name })),
    ...contacts.map(({ address, name }) => ({ kind: 'contact' as const, address, name })),
    ...joined(networks),
  ])
  return { entries, unreadable }
}

/** Returns the entries of a MetaMask file, or undefined for any other JSON. */
export const readMetaMask = (json: unknown): Export | undefined => {
  const controllers = controllersOf(json)
  return controllers && entriesOf(v.parse(State, controllers))
}
