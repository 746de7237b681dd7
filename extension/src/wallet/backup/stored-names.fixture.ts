/** Says of every stored name in which sections of a backup it is, or why it is in none. docs/backup.md has the same table. */
import type { SectionName } from '../../messages.ts'
import type { BROWSER_VALUES, REGISTRY, SETTINGS } from '../storage/registry.ts'

export type StoredName =
  | (typeof SETTINGS)[number]
  | (typeof REGISTRY)['local' | 'session'][number]
  | (typeof BROWSER_VALUES)[number]

/** The sections of a stored name, or the reason why it is left out. */
export const STORED: Readonly<Record<StoredName, readonly SectionName[] | string>> = {
  account: 'The selection belongs to the device.',
  activity: ['activity'],
  'approval-window': 'It belongs to open windows.',
  assets: ['tokens'],
  'auto-lock': ['settings'],
  bundles: 'A site asks for the status of a batch only in the browser in which it sent it, for 30 days.',
  'chain-id': 'The selection belongs to the device.',
  chains: 'It is read from the nodes again.',
  contacts: ['contacts'],
  currency: ['settings'],
  descriptors: ['descriptors'],
  drafts: 'It belongs to open pages.',
  'early-settings': 'The vault takes it over.',
  filters: 'It belongs to open pages.',
  'focus-taken': 'It belongs to open windows.',
  format: 'A backup has a version of its own.',
  'found-tokens': ['tokenChoices'],
  gateways: ['settings'],
  'incoming-transfers': 'It is read from the nodes again.',
  interfaces: ['interfaces'],
  'last-asked': "It is about this browser's pages.",
  'last-holdings': 'It is read from the nodes again.',
  'lock-at': 'It belongs to the unlocked wallet.',
  'looks-by-itself': ['settings'],
  'network-list': ['hiddenNetworks', 'settings'],
  networks: ['networks'],
  notifies: "It needs the browser's permission.",
  pages: 'It belongs to open pages.',
  published: 'It belongs to sessions.',
  rejections: 'It belongs to open pages.',
  removing: 'It belongs to a removal.',
  requests: 'A request is open in one browser.',
  reset: 'It is about data on this disk.',
  revisions: 'It is about data on this disk.',
  'rpc-urls': ['nodes'],
  safety: ['settings'],
  'seen-prices': 'It is read from the nodes again.',
  sessions: ['relays'],
  settings: 'Its values have rows of their own.',
  'settings-key': 'It is the key of data on this disk.',
  'shown-proposals': 'It belongs to sessions.',
  'site-choices': ['siteSettings'],
  'site-networks': ['siteNetworks'],
  sites: ['sites'],
  subscriptions: 'It belongs to open pages.',
  'token-looks': 'It is read from the nodes again.',
  unverified: 'It is about data on this disk.',
  'update-waits': 'It belongs to this browser.',
  vault: ['accounts', 'phrases', 'privateKeys'],
  'vault-damaged': 'It is about data on this disk.',
  'vault-key': 'It is the key of data on this disk.',
  'vault-previous': 'It is about data on this disk.',
}
