/**
 * Refunds of a Safe, which pays (gas used + baseGas) × gasPrice to the receiver named in its transaction, or otherwise
 * to the executor. The inner call is harmless, and may fail.
 */
import { oneIn, pick, type Random } from '../support/random.ts'
import {
  BALANCE,
  EXECUTOR,
  FRIEND,
  KNOWN_CHAIN,
  LOOKALIKE,
  OWN_SAFE,
  OWNERS,
  SAFE,
  SPENDER,
  TOKENS,
  ZERO,
} from './addresses.ts'
import type { Case, Kind, Level, Mutation, Shown, Subject } from './case.ts'
import { encodeCall } from './encode.ts'
import { HARMLESS } from './hostile-calls.ts'
import { CHAIN_ID, type Data, type Refund, safeTransaction } from './permits.ts'
import { EXECUTE, safeArguments } from './signatures.ts'
import { has, randomOf, requestOf, SPELLINGS } from './spellings.ts'
import { asJson, isSignedBy, methodOf, TYPED_SPELLINGS } from './typed-data.ts'
import type { Probe, Scene, Sent } from './world.ts'

const ETHER = 10n ** 18n
const GWEI = 10n ** 9n
const GAS = '0x1e8480'
/**
 * Fees of the executor's transaction, above any base fee of the chain. If a Safe refunds gas in coins, it pays at most
 * this transaction's gas price.
 */
const EXECUTOR_FEES = { maxFeePerGas: '0x4a817c800', maxPriorityFeePerGas: '0x77359400' }
/** Unit of gains in wei. The executor's gas cost varies by case, and is far smaller. */
const STEP = ETHER / 100n

type Paid = { amount: bigint; isToken: boolean }
/** `isOwn` is true for a Safe of the account, which the wallet recognizes by its code and its owners. */
type Fixture = { isOwn: boolean; isSigned: boolean; paid: Paid; least: Level }

const PAID: readonly (readonly [string, Paid, Level])[] = [
  ['nearly all coins', { amount: (ETHER * 95n) / 100n, isToken: false }, 'danger'],
  ['a part of the coins', { amount: ETHER / 10n, isToken: false }, 'caution'],
  ['nearly all tokens', { amount: 950n * ETHER, isToken: true }, 'danger'],
]

const FIXTURES: ReadonlyMap<string, Fixture> = new Map(
  PAID.flatMap(([name, paid, least]) =>
    [true, false].flatMap(isOwn =>
      [true, false].map((isSigned): [string, Fixture] => [
        `${name} of ${isOwn ? 'an own' : 'another'} Safe, ${isSigned ? 'signed' : 'executed'}`,
        { isOwn, isSigned, paid, least },
      ]),
    ),
  ),
)

const fixtureOf = (name: string): Fixture => {
  const found = FIXTURES.get(name)
  if (!found) throw new Error(`no refund ${name}`)
  return found
}

const [OWNER] = OWNERS
const [token = ''] = TOKENS

const INNER: readonly Sent[] = [
  { to: token, value: 0n, data: encodeCall('transfer(address,uint256)', [OWNER, 1n]) },
  HARMLESS,
  { to: OWNER, value: 1n, data: '0x' },
  { to: FRIEND, value: 0n, data: '0x' },
]
/** A call that moves more tokens than the account has. */
const FAILING: Sent = { to: token, value: 0n, data: encodeCall('transfer(address,uint256)', [OWNER, 2n ** 255n]) }

const innerFor = (mutations: readonly Mutation[]): Sent => {
  if (has(mutations, 'failing inner call')) return FAILING
  const random = randomOf(mutations, 'another inner call')
  return (random ? pick(random, INNER) : INNER[0]) ?? FAILING
}

const refundFor = ({ paid, isSigned }: Fixture, mutations: readonly Mutation[]): Refund => {
  const within = randomOf(mutations, 'gas for the inner call')
  const higher = randomOf(mutations, 'higher price')
  const moved = paid.isToken ? randomOf(mutations, 'gas in the price') : undefined
  const others = paid.isToken ? randomOf(mutations, 'another token') : undefined
  const factor = moved ? 10n ** BigInt(1 + moved(8)) : 1n
  const receivers = isSigned ? [LOOKALIKE, ZERO] : [LOOKALIKE]
  const receiver = randomOf(mutations, 'another receiver')
  return {
    safeTxGas: within ? BigInt(pick(within, [1, 50_000, 150_000])) : 0n,
    baseGas: paid.amount / GWEI / factor,
    gasPrice: GWEI * factor * (higher ? BigInt(pick(higher, [2, 1000])) : 1n),
    gasToken: paid.isToken ? (others ? pick(others, TOKENS) : token) : ZERO,
    refundReceiver: receiver ? pick(receiver, receivers) : SPENDER,
  }
}

const dataOf = (fixture: Fixture, mutations: readonly Mutation[]): Data => {
  const { to, value, data } = innerFor(mutations)
  const [safe, chainId] = fixture.isOwn ? [OWN_SAFE, KNOWN_CHAIN] : [SAFE, CHAIN_ID]
  return safeTransaction(safe, { to, value, data, operation: 0 }, refundFor(fixture, mutations), chainId)
}

const executed = (data: Data, signature: string): Sent => ({
  to: String(data.domain.verifyingContract),
  value: 0n,
  data: encodeCall(EXECUTE, safeArguments(data.message, signature)),
})

/** Probes the receivers' balances: first of coins, then of the refund's token. */
const probesOf = ({ message: { gasToken } }: Data): Probe[] => {
  const receivers = [SPENDER, LOOKALIKE, EXECUTOR]
  const data = (holder: string) => encodeCall('balanceOf(address)', [holder])
  const asToken = gasToken === ZERO ? token : String(gasToken)
  return [
    ...receivers.map(to => ({ to, data: '0x' })),
    ...receivers.map(holder => ({ to: asToken, data: data(holder) })),
  ]
}

const RECEIVERS = 3

const sceneOf = (fixture: Fixture, data: Data, { sent, signature }: Shown): Scene | null => {
  const probes = probesOf(data)
  const mined = { blocks: 1 }
  if (!fixture.isSigned) return { actor: OWNER, acts: sent, probes, mined }
  if (signature === null) return null
  const act = { ...executed(data, signature), gas: GAS, fees: EXECUTOR_FEES }
  return { actor: EXECUTOR, acts: [act], probes, mined }
}

const gainOf = (words: readonly bigint[]) => {
  const [spender = 0n, lookalike = 0n, executor = 0n] = words.slice(0, RECEIVERS)
  const own = executor > BALANCE ? executor - BALANCE : 0n
  const tokens = words.slice(RECEIVERS).reduce((sum, word) => sum + word, 0n)
  const inSteps = (amount: bigint) => (amount + STEP / 2n) / STEP
  return { coins: inSteps(spender + lookalike + own), tokens: inSteps(tokens) }
}

const build = ({ fixture: name, mutations }: Case): Subject => {
  const fixture = fixtureOf(name)
  const data = dataOf(fixture, mutations)
  const chainId = fixture.isOwn ? { chainId: KNOWN_CHAIN } : {}
  const request = fixture.isSigned
    ? { method: methodOf(mutations), params: [OWNER, asJson(data, mutations)], ...chainId }
    : requestOf([executed(data, '0x')], { from: OWNER, ...chainId }, mutations, HARMLESS)
  return {
    request: { ...request, node: 'simulate' },
    sceneOf: shown => sceneOf(fixture, data, shown),
    harmOf: (words, shown) =>
      fixture.isSigned && !isSignedBy(data, shown, OWNER) ? { coins: 0n, tokens: 0n } : gainOf(words),
  }
}

const CHANGES = [
  'failing inner call',
  'another inner call',
  'gas for the inner call',
  'higher price',
  'another receiver',
] as const
const TOKEN_CHANGES = [...CHANGES, 'gas in the price', 'another token'] as const

const mutationsFor = (name: string, random: Random): readonly Mutation[] => {
  const { isOwn, isSigned, paid } = fixtureOf(name)
  const spellings = (isSigned ? TYPED_SPELLINGS : SPELLINGS).filter(
    spelling =>
      // Left out, because the wallet refuses most requests with this spelling: see typed-data.ts.
      spelling !== 'undeclared members' &&
      // Left out, because a method prefix belongs to one chain, and the Safe is on one chain.
      spelling !== 'another chain' &&
      !(isOwn && spelling === 'another prefix'),
  )
  const names: string[] = Array.from({ length: random(3) }, () => pick(random, paid.isToken ? TOKEN_CHANGES : CHANGES))
  if (names.length === 0 || oneIn(random, 2)) names.push(pick(random, spellings))
  return [...new Set(names)].map(change => ({ name: change, seed: random(2 ** 31) }))
}

export const safeRefunds: Kind = {
  name: 'Safe refund',
  fixtures: [...FIXTURES.keys()],
  leastOf: fixture => fixtureOf(fixture).least,
  mutationsFor,
  build,
}
