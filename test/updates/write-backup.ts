/**
 * Writes the fixture of the backup format's version: `.runtime/node --import tsx test/updates/write-backup.ts`. Run it once
 * for each version of the format, before its release, and never change a fixture.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupItem } from '../../extension/src/messages.ts'
import { BACKUP_VERSION } from '../../extension/src/wallet/backup/backup-file.ts'
import { addressOf, item } from '../../extension/src/wallet/backup/items.fixture.ts'
import { approveDescriptor, swapDescriptor } from '../../extension/src/wallet/descriptors/descriptors.fixture.ts'
import { KDF_COST } from '../../extension/src/wallet/keys/vault-file.ts'
import { ADDRESS, PASSWORD, PHRASE, startNode, startWallet } from '../../extension/src/wallet/wallet.fixture.ts'
import { defaultNetworks } from '../../shared/src/network.ts'
import { BACKUPS, type BackupFixture } from './backup-fixture.ts'

const FILE_PASSWORD = 'the password of this fixture'
const KEY = `0x${'00'.repeat(31)}01`
const [FRIEND, SHOP, TOKEN, COLLECTION] = [1, 2, 3, 4].map(addressOf) as [string, string, string, string]
const ORIGIN = 'https://site.example'
const CHAIN = 4242

const items: readonly BackupItem[] = [
  item('accounts', { address: SHOP, name: 'Watched', hidden: true, from: null }),
  item('contacts', { address: FRIEND, name: 'Zoë 漢字', ens: { name: 'zoe.eth', chainId: 1 } }),
  item('networks', {
    ...{ chainId: CHAIN, title: 'Harbor Testnet', symbol: 'HBR', explorerUrl: 'https://explorer.example/' },
    ...{ prefix: 'eth', signedMessageName: 'Ethereum', testnet: true },
  }),
  item('nodes', { chainId: CHAIN, rpcUrls: ['https://node.example/', 'http://10.0.0.2:8545/'], uses: {} }),
  item('hiddenNetworks', { chainId: 8217 }),
  item('tokens', { chainId: 1, address: TOKEN, symbol: 'TOK', decimals: 6, isFound: true }),
  item('tokenChoices', {
    ...{ chainId: 1, account: ADDRESS, address: COLLECTION, kind: 'erc721', ids: ['1', '77'] },
    ...{ symbol: 'Cats', decimals: null, choice: 'shown' },
  }),
  item('interfaces', { name: 'Bakery', place: { chainId: 1, address: SHOP }, functions: ['bake(uint256 loaves)'] }),
  item('sites', { origin: ORIGIN, accounts: [ADDRESS], since: 1_700_000_000_000 }),
  item('siteSettings', {
    ...{ origin: ORIGIN, asMetaMask: true, asEthereum: false, readsLocalNode: true, isBlocked: false },
  }),
  item('siteNetworks', { origin: ORIGIN, chainId: CHAIN }),
  item('relays', { url: 'wss://relay.example' }),
  item('settings', { name: 'autoLock', value: 30 }),
  item('settings', { name: 'currency', value: 'EUR' }),
  item('settings', { name: 'ipfsGateway', value: 'https://ipfs.example/' }),
  item('settings', { name: 'networkOrder', value: 'name' }),
  item('settings', { name: 'looksByItself', value: false }),
  item('settings', { name: 'allowsUnreadable', value: false }),
  item('settings', { name: 'readsOffchainNames', value: true }),
]

const { wallet } = startWallet({ networks: defaultNetworks, kdfCost: KDF_COST, chain: startNode().chain })
const { ui } = wallet
await ui.createVault({ password: PASSWORD, phrase: PHRASE, name: 'Main' })
await ui.addAccount({ name: 'Savings' })
await ui.importPrivateKey({ privateKey: KEY, name: 'Till' })
await ui.importEntries({ entries: items })
await ui.addDescriptors({ json: JSON.stringify([approveDescriptor, swapDescriptor]), fileName: 'words.json' })
await ui.setRpcUrls({ chainId: 1, rpcUrls: [] })
await wallet.request(ORIGIN, {
  id: 'send',
  method: 'eth_sendTransaction',
  params: [{ from: ADDRESS, to: FRIEND, value: '0x1', nonce: '0x0', gas: '0x5208', gasPrice: '0x1' }],
})
const { file } = await ui.saveBackup({ password: FILE_PASSWORD, walletPassword: PASSWORD })
const { entries } = await ui.openBackup({ file, password: FILE_PASSWORD })
const fixture: BackupFixture = { version: BACKUP_VERSION, password: FILE_PASSWORD, file, entries }
await writeFile(join(BACKUPS, `${BACKUP_VERSION}.json`), `${JSON.stringify(fixture, null, 2)}\n`)
