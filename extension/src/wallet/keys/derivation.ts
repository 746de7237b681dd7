/**
 * Derives keys and accounts from a phrase: seed (BIP-39), tree (BIP-32), paths (BIP-44).
 * https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki, bip-0044.mediawiki
 */
import type { Address } from '@heliograph/shared/evm/address'
import { addressOfPrivateKey } from '@heliograph/shared/evm/signature'
import { HARDENED_OFFSET, HDKey } from '@scure/bip32'
import { mnemonicToSeedWebcrypto } from '@scure/bip39'
import { rpcError } from '../text/errors.ts'

/**
 * Input of the derivation. `phrase` is normalized, `passphrase` is BIP-39's, `path` is the accounts' path without the
 * index.
 */
export type Derivation = { phrase: string; passphrase: string; path: string }

/** Default path of EVM chains: SLIP-44 coin 60, account 0, external chain. */
export const ACCOUNTS_PATH = "m/44'/60'/0'/0"

/** BIP-44 path down to the chain. Coin type and account may vary: Kaia uses coin type 8217. */
const BIP_44 = /^m\/44'\/(0|[1-9]\d{0,9})'\/(0|[1-9]\d{0,9})'\/0$/

/** Validates an accounts path. Throws -32602 if it is not a BIP-44 path. */
export const toAccountsPath = (text: string): string => {
  const [, ...indexes] = BIP_44.exec(text) ?? []
  if (indexes.length === 0 || indexes.some(index => Number(index) >= HARDENED_OFFSET))
    throw rpcError('invalidParams', 'notDerivationPath', { form: ACCOUNTS_PATH })
  return text
}

const indexesOf = (path: string): number[] =>
  path
    .split('/')
    .slice(1)
    .map(part => Number.parseInt(part, 10) + (part.endsWith("'") ? HARDENED_OFFSET : 0))

/** Calls `use` with the accounts' parent node, and wipes every private key derived on the way. */
const withNode = async <T>({ phrase, passphrase, path }: Derivation, use: (node: HDKey) => T): Promise<T> => {
  const seed = await mnemonicToSeedWebcrypto(phrase, passphrase)
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
  if (!key) throw new Error('The node has no private key')
  return key
}

/** Derives an account's private key, 32 bytes. The caller wipes it. */
export const keyAt = (derivation: Derivation, index: number): Promise<Uint8Array> =>
  withNode(derivation, node => childKey(node, index))

/** Derives the addresses of the accounts with these indexes. */
export const addressesOf = (derivation: Derivation, indexes: readonly number[]): Promise<Address[]> =>
  withNode(derivation, node =>
    indexes.map(index => {
      const key = childKey(node, index)
      const address = addressOfPrivateKey(key)
      key.fill(0)
      return address
    }),
  )

/** Derives the addresses of `count` accounts, starting at index `from`. */
export const addressesAt = (derivation: Derivation, from: number, count: number): Promise<Address[]> =>
  addressesOf(
    derivation,
    Array.from({ length: count }, (_, place) => from + place),
  )
