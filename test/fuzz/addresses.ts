/** Addresses on the fuzzed chain; see world-setup.ts. */
import { getAddress, keccak256, toUtf8Bytes } from 'ethers'
import { ADDRESS, SECOND } from '../../extension/src/wallet/wallet.fixture.ts'
import { SIGNS } from './signs.ts'

export const addressNamed = (name: string): string => getAddress(`0x${keccak256(toUtf8Bytes(name)).slice(-40)}`)

/** The accounts that sites may use, and the contracts that act for the first account. */
export const OWNERS = [ADDRESS, SECOND] as const
export const SAFE = addressNamed('safe')
export const ACCOUNT = addressNamed('account')
export const HOLDERS: readonly string[] = [...OWNERS, SAFE, ACCOUNT]
/** Balance of each account and of the executor, in wei. */
export const BALANCE = 10_000n * 10n ** 18n

/** A Safe whose singleton is listed in the catalogue of `KNOWN_CHAIN`. */
export const OWN_SAFE = addressNamed('own safe')
export const SINGLETON = '0x41675C099F32341bf84BFc5382aF534df5C7461a'
/** The chain whose known contracts are in the catalogue. It is served by the same node. */
export const KNOWN_CHAIN = 1
/** Multicall3 is in the catalogue. */
export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'

export const ZERO = `0x${'0'.repeat(40)}`
/** The adversary: receives allowances, items and coins. */
export const SPENDER = addressNamed('spender')
/** An address that the wallet knows, and an address of the adversary that is shortened to the same text. */
export const FRIEND = getAddress(addressNamed('friend'))
export const LOOKALIKE = getAddress(
  `${FRIEND.slice(0, 6)}${addressNamed('lookalike').slice(6, -4)}${FRIEND.slice(-4)}`.toLowerCase(),
)
/** The adversary's account that sends transactions with other accounts' signatures. */
export const EXECUTOR = addressNamed('executor')
/** Receives the fees of the blocks. */
export const PROPOSER = addressNamed('proposer')

/** Contracts of each kind, the most lenient one first, and some of them also behind proxies. */
export const TOKENS = ['lenient', 'strict', 'minimal proxy', 'slot proxy'].map(kind => addressNamed(`token ${kind}`))
export const COLLECTIONS = ['lenient', 'strict', 'minimal proxy'].map(kind => addressNamed(`collection ${kind}`))
export const PERMIT2S = ['lenient', 'strict'].map(kind => addressNamed(`permit2 ${kind}`))
export const MULTI_SEND = addressNamed('multi send')
export const ENTRY_POINT = addressNamed('entry point')
export const FORWARDER = addressNamed('forwarder')
/** A token in the wallet's list, and another token with the same symbol. */
export const LISTED = addressNamed('listed')
export const COUNTERFEIT = addressNamed('counterfeit')
/** Contracts of the adversary that keep all coins sent to them. */
export const KEEPERS = ['first', 'second'].map(name => addressNamed(`keeper ${name}`))
/** Contracts of the adversary that pay the caller in a simulation, one for each sign by which they recognize it. */
export const TRAPS = SIGNS.map(({ name }) => addressNamed(`trap ${name}`))
/** Coins that each trap holds for rewards, in wei. */
export const TRAP_COINS = 10n ** 23n
