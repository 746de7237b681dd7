/**
 * The items of a backup, by section. All of it is plain JSON: docs/backup.md describes the file. An address is in EIP-55
 * form, a time is a Unix time in ms.
 */
import type { NodeUse } from '@heliograph/shared/network'
import type { SafetyView } from './state.ts'
import type { ActivityFailure, ActivityPurpose, ActivityStatus } from './transactions.ts'
import type { AssetKind, NetworkInput, NetworkOrder } from './wallet.ts'

/** A recovery phrase. `first` is the address of its account with index 0, which identifies the phrase. */
export type PhraseItem = { phrase: string; passphrase: string; path: string; first: string }

export type PrivateKeyItem = { address: string; privateKey: string }

/** An account. `from` has the id of its phrase, and its index there; null if the account is not derived from a phrase. */
export type AccountItem = {
  address: string
  name: string
  hidden: boolean
  from: { phrase: string; index: number } | null
}

export type ContactItem = { address: string; name: string; ens: { name: string; chainId: number } | null }

/** An added network. Its nodes are an item of their own. */
export type NetworkItem = Omit<NetworkInput, 'rpcUrls'>

/** A network's nodes, the preferred one first, and the uses of some of them, by URL. */
export type NodesItem = { chainId: number; rpcUrls: readonly string[]; uses: Readonly<Record<string, NodeUse>> }

export type HiddenNetworkItem = { chainId: number }

export type TokenItem = { chainId: number; address: string; symbol: string; decimals: number; isFound: boolean }

/** The user's choice about a token or collection that an account got. `ids` are known items of a collection. */
export type TokenChoiceItem = {
  chainId: number
  account: string
  address: string
  kind: AssetKind
  ids: readonly string[]
  symbol: string | null
  decimals: number | null
  choice: 'shown' | 'hidden'
}

/** A contract interface. Functions are written like `transfer(address to, uint256 value)`. */
export type InterfaceItem = {
  name: string
  place: { chainId: number; address: string } | null
  functions: readonly string[]
}

/** A descriptor in the form in which the wallet keeps it. `source` is a file's name or a host. */
export type DescriptorItem = { source: string; content: Readonly<Record<string, unknown>> }

export type SiteItem = { origin: string; accounts: readonly string[]; since: number }

export type SiteSettingsItem = {
  origin: string
  asMetaMask: boolean
  asEthereum: boolean
  readsLocalNode: boolean
  isBlocked: boolean
}

export type SiteNetworkItem = { origin: string; chainId: number }

export type RelayItem = { url: string }

export type SettingItem =
  | { name: 'autoLock'; value: number }
  | { name: 'currency' | 'ipfsGateway' | 'arweaveGateway'; value: string }
  | { name: 'networkOrder'; value: NetworkOrder }
  | { name: 'looksByItself' | keyof SafetyView; value: boolean }

/** A signed transaction and its outcome. `raw` is null once the outcome is known. */
export type ActivityItem = {
  hash: string
  raw: string | null
  chainId: number
  account: string
  nonce: string
  key: string
  origin: string | null
  purpose: ActivityPurpose
  replaces: string | null
  to: string | null
  value: string
  data: string
  gas: string
  price: string
  status: ActivityStatus
  failure: ActivityFailure | null
  createdAt: number
  sentAt: number | null
  settledAt: number | null
  block: string | null
  fee: string | null
}

/** Every section with its type of item. */
export type BackupValues = {
  phrases: PhraseItem
  accounts: AccountItem
  privateKeys: PrivateKeyItem
  contacts: ContactItem
  networks: NetworkItem
  nodes: NodesItem
  hiddenNetworks: HiddenNetworkItem
  tokens: TokenItem
  tokenChoices: TokenChoiceItem
  interfaces: InterfaceItem
  descriptors: DescriptorItem
  sites: SiteItem
  siteSettings: SiteSettingsItem
  siteNetworks: SiteNetworkItem
  relays: RelayItem
  settings: SettingItem
  activity: ActivityItem
}

export type SectionName = keyof BackupValues

/** An item of a backup, as an entry of an import. */
export type BackupItem = { [S in SectionName]: { kind: 'item'; section: S; value: BackupValues[S] } }[SectionName]

/** An opened backup. `unreadable` is the number of items that could not be read. */
export type OpenedBackup = { entries: readonly BackupItem[]; unreadable: number; savedAt: number }
