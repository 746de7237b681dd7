/** Values that all libraries sign and send. */
import contracts from '@metamask/test-dapp/dist/constants.json' with { type: 'json' }

export const NAME = 'Heliograph'
export const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Non-ASCII text, and bytes that are not valid UTF-8. */
export const MESSAGE = 'Grüße, 世界 🌅\nline two'
export const BYTES = '0x00ff80deadbeef'

export const CHAIN = 31337
/** A second network, unknown to the wallet. */
export const OTHER_CHAIN = 1338

export const LETTER = {
  domain: {
    name: 'Letters',
    version: '1',
    chainId: CHAIN,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  types: {
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallets', type: 'address[]' },
    ],
    Letter: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person[]' },
      { name: 'text', type: 'string' },
      { name: 'weight', type: 'uint256' },
      { name: 'debt', type: 'int128' },
      { name: 'seal', type: 'bytes' },
      { name: 'isOpen', type: 'bool' },
    ],
  },
  primaryType: 'Letter',
  message: {
    from: { name: 'Ada', wallets: [OTHER] },
    to: [
      { name: 'Grace', wallets: [] },
      { name: 'Lin', wallets: [OTHER, '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC'] },
    ],
    text: MESSAGE,
    // A number above Number.MAX_SAFE_INTEGER, and a negative number.
    weight: 2n ** 200n + 1n,
    debt: -3n,
    seal: BYTES,
    isOpen: true,
  },
} as const

/** The letter as JSON, with large numbers as strings. */
export const LETTER_AS_JSON = {
  ...LETTER,
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    ...LETTER.types,
  },
  message: { ...LETTER.message, weight: String(LETTER.message.weight), debt: String(LETTER.message.debt) },
}

export const VALUE = 10n ** 16n

/** An ERC-20 token. Its constructor takes the supply in whole tokens, the name, the decimals and the symbol. */
export const TOKEN = {
  abi: contracts.hstAbi,
  bytecode: `0x${contracts.hstBytecode.replace(/^0x/, '')}`,
  args: [1_000n, 'Sunlight', 4, 'SUN'],
} as const
export const SUPPLY = 1_000n * 10n ** 4n
export const TRANSFER = 25n
