import { expect, test } from 'vitest'
import type { BackupItem } from '../../messages.ts'
import { walletStart } from './backup-start.ts'

const account = (address: string, name: string): BackupItem => ({
  kind: 'item',
  section: 'accounts',
  value: { address, name, hidden: false, from: null },
})
const key: BackupItem = { kind: 'item', section: 'privateKeys', value: { address: '0x02', privateKey: '0x11' } }
const phrase: BackupItem = {
  kind: 'item',
  section: 'phrases',
  value: { phrase: 'test junk', passphrase: '', path: 'm', first: '0x01' },
}

test('a wallet starts with the first phrase, or else with the first key, and with the name of its account', () => {
  const accounts = [account('0x01', 'Main'), account('0x02', 'Till')]
  expect(walletStart([...accounts, key, phrase])).toEqual({
    input: { phrase: 'test junk', passphrase: '', path: 'm' },
    name: 'Main',
    address: '0x01',
  })
  expect(walletStart([...accounts, key])).toEqual({ input: { privateKey: '0x11' }, name: 'Till', address: '0x02' })
  expect(walletStart([key])).toMatchObject({ name: '' })
})

test('a backup without keys starts no wallet', () => {
  expect(walletStart([account('0x01', 'Main')])).toBe(null)
})
