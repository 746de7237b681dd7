/** The words for an item of a backup: its title, what it contains, and what kind of item it is. */
import type { BackupItem, NetworkView, NodesItem, SettingItem, SiteSettingsItem } from '../../messages.ts'
import { shortAddress } from './address.ts'
import { hostOf, originLabel } from './origin.ts'
import { plural, text } from './text.ts'
import { formatMoment } from './times.ts'

const titleOf = (chainId: number, networks: readonly NetworkView[]): string =>
  networks.find(network => network.chainId === chainId)?.title ?? text('chainNumber', chainId)

const settingTitle = ({ name }: SettingItem): string => {
  if (name === 'currency') return text('valueCurrency')
  return name === 'networkOrder' ? text('networks') : text(name)
}

const settingValue = (item: SettingItem): string => {
  switch (item.name) {
    case 'autoLock':
      return plural('minutes', item.value)
    case 'currency':
      return item.value
    case 'ipfsGateway':
    case 'arweaveGateway':
      return item.value
    case 'networkOrder':
      return `${text('sortBy')}: ${text(`order_${item.value}`)}`
    default:
      return text(item.value ? 'settingOn' : 'settingOff')
  }
}

const siteSettings = ({ asMetaMask, asEthereum, readsLocalNode, isBlocked }: SiteSettingsItem): string =>
  [
    ...(asEthereum ? [text('asEthereum')] : []),
    ...(asMetaMask ? [text('asMetaMask')] : []),
    ...(readsLocalNode ? [text('readsLocalNode')] : []),
    ...(isBlocked ? [text('blockSite')] : []),
  ].join(' · ')

/** Returns a node's host with its use: "node.example (sending, 0x1F37…9aB2)". */
const nodeText = (url: string, { only, also, accounts = [] }: NodesItem['uses'][string]): string => {
  const uses = [
    ...(only ? [text('nodeUse_send')] : []),
    ...(also ? [text('nodeUse_compare')] : []),
    ...accounts.map(shortAddress),
  ]
  return uses.length > 0 ? `${hostOf(url)} (${uses.join(', ')})` : hostOf(url)
}

/** Returns what the item is about. */
export const itemTitle = (item: BackupItem, networks: readonly NetworkView[]): string => {
  switch (item.section) {
    case 'phrases':
      return shortAddress(item.value.first)
    case 'privateKeys':
      return shortAddress(item.value.address)
    case 'accounts':
    case 'contacts':
    case 'interfaces':
      return item.value.name.trim() || text('accountsTitle')
    case 'networks':
      return item.value.title
    case 'nodes':
    case 'hiddenNetworks':
      return titleOf(item.value.chainId, networks)
    case 'tokens':
      return item.value.symbol
    case 'tokenChoices':
      return item.value.symbol ?? shortAddress(item.value.address)
    case 'descriptors':
      return typeof item.value.content.owner === 'string' ? item.value.content.owner : item.value.source
    case 'sites':
    case 'siteSettings':
    case 'siteNetworks':
      return originLabel(item.value.origin)
    case 'relays':
      return hostOf(item.value.url)
    case 'settings':
      return settingTitle(item.value)
    case 'activity':
      return item.value.to === null ? text('newContract') : shortAddress(item.value.to)
  }
}

/** Returns what the item contains. Never a phrase or a key. */
export const itemDetail = (item: BackupItem, networks: readonly NetworkView[]): string => {
  switch (item.section) {
    case 'phrases':
      return item.value.path
    case 'privateKeys':
    case 'accounts':
      return item.value.address
    case 'contacts':
      return item.value.ens ? `${item.value.address} · ${item.value.ens.name}` : item.value.address
    case 'networks':
      return `${text('chainNumber', item.value.chainId)} · ${item.value.symbol}`
    case 'nodes':
      return item.value.rpcUrls.map(url => nodeText(url, item.value.uses[url] ?? {})).join(' · ')
    case 'hiddenNetworks':
      return text('chainNumber', item.value.chainId)
    case 'tokens':
    case 'tokenChoices':
      return `${item.value.address} · ${titleOf(item.value.chainId, networks)}`
    case 'interfaces':
      return item.value.place === null
        ? text('anyContract')
        : `${item.value.place.address} · ${titleOf(item.value.place.chainId, networks)}`
    case 'descriptors':
      return item.value.source
    case 'sites':
      return item.value.accounts.map(shortAddress).join(' · ')
    case 'siteSettings':
      return siteSettings(item.value)
    case 'siteNetworks':
      return titleOf(item.value.chainId, networks)
    case 'relays':
      return item.value.url
    case 'settings':
      return settingValue(item.value)
    case 'activity':
      return `${formatMoment(item.value.createdAt)} · ${titleOf(item.value.chainId, networks)} · ${text(`status_${item.value.status}`)}`
  }
}

/** Returns the kind of an item that its group does not tell, or an empty text. */
export const itemTag = (item: BackupItem): string => {
  switch (item.section) {
    case 'phrases':
      return text('recoveryPhrase')
    case 'privateKeys':
      return text('privateKey')
    case 'nodes':
      return text('nodes')
    case 'hiddenNetworks':
      return text('hiddenTokens')
    case 'tokenChoices':
      return text(item.value.choice === 'hidden' ? 'hiddenTokens' : 'shownTokens')
    case 'siteSettings':
      return text('settings')
    case 'siteNetworks':
      return text('network')
    default:
      return ''
  }
}
