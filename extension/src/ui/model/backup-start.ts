/** The key in a backup with which a new wallet starts. Its other items follow once the wallet exists. */
import type { BackupItem, KeyInput } from '../../messages.ts'

export type WalletStart = { input: KeyInput; name: string; address: string }

const nameOf = (items: readonly BackupItem[], address: string): string => {
  const account = items.find(item => item.section === 'accounts' && item.value.address === address)
  return account?.section === 'accounts' ? account.value.name : ''
}

/** Returns the first phrase, or else the first private key. Null if the backup has no keys. */
export const walletStart = (items: readonly BackupItem[]): WalletStart | null => {
  for (const item of items) {
    if (item.section !== 'phrases') continue
    const { first, ...input } = item.value
    return { input, name: nameOf(items, first), address: first }
  }
  for (const item of items) {
    if (item.section !== 'privateKeys') continue
    const { address, privateKey } = item.value
    return { input: { privateKey }, name: nameOf(items, address), address }
  }
  return null
}
