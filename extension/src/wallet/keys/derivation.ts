/**
 * From a phrase to keys and accounts: the seed of BIP-39, the tree of BIP-32, the paths of BIP-44.
 * https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki, bip-0044.mediawiki
 */
import { rpcError } from '@heliograph/shared/errors'
import type { Address } from '@heliograph/shared/evm/address'
import { addressOfKey } from '@heliograph/shared/evm/signature'
import { HARDENED_OFFSET, HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'

/** What accounts come from. `phrase` is in its normal form, `passphrase` is BIP-39's, `path` that of account 0 without its index. */
export type Derivation = { phrase: string; passphrase: string; path: string }

/** The usual path of all chains of the EVM: SLIP-44 coin 60, account 0, external chain. */
export const ACCOUNTS_PATH = "m/44'/60'/0'/0"

/** BIP-44 down to the chain: coin type and account may be others, as Kaia's 8217 is. */
const BIP_44 = /^m\/44'\/(0|[1-9]\d{0,9})'\/(0|[1-9]\d{0,9})'\/0$/

/** A path for accounts. Throws -32602 for what is none. */
export const toAccountsPath = (text: string): string => {
  const [, ...indexes] = BIP_44.exec(text) ?? []
  if (indexes.length === 0 || indexes.some(index => Number(index) >= HARDENED_OFFSET))
    throw rpcError('invalidParams', `A path for accounts has the form ${ACCOUNTS_PATH}`)
  return text
}

const indexesOf = (path: string): number[] =>
  path
    .split('/')
    .slice(1)
    .map(part => Number.parseInt(part, 10) + (part.endsWith("'") ? HARDENED_OFFSET : 0))

/** Lends the node above the accounts to `use`. Every key on the way is wiped, that node's when `use` is done. */
const withNode = <T>({ phrase, passphrase, path }: Derivation, use: (node: HDKey) => T): T => {
  const seed = mnemonicToSeedSync(phrase, passphrase)
  const master = HDKey.fromMasterSeed(seed)
  seed.fill(0)
  const node = indexesOf(path).reduce((parent, index) => {
    const child = parent.deriveChild(index)
    parent.wipePrivateData()
    return child
  }, master)
  try {
    return use(node)
  } finally {
    node.wipePrivateData()
  }
}

const childKey = (node: HDKey, index: number): Uint8Array => {
  const child = node.deriveChild(index)
  const key = child.privateKey
  child.wipePrivateData()
  if (!key) throw new Error('a node without a private key')
  return key
}

/** The private key of an account, 32 bytes, for the caller to wipe. */
export const keyAt = (derivation: Derivation, index: number): Uint8Array =>
  withNode(derivation, node => childKey(node, index))

/** The addresses of `count` accounts from index `from` on. */
export const addressesAt = (derivation: Derivation, from: number, count: number): Address[] =>
  withNode(derivation, node =>
    Array.from({ length: count }, (_, place) => {
      const key = childKey(node, from + place)
      const address = addressOfKey(key)
      key.fill(0)
      return address
    }),
  )
