/** Wrapping calls: each layer executes the inner call on behalf of the same account. */
import { concat, zeroPadValue } from 'ethers'
import { pick, type Random } from '../support/random.ts'
import { ACCOUNT, ENTRY_POINT, FORWARDER, FRIEND, MULTI_SEND, OWNERS, SAFE, ZERO } from './addresses.ts'
import type { Call } from './calls.ts'
import { encodeValues } from './encode.ts'
import { FAR } from './permits.ts'
import type { Sent } from './world.ts'

/** Wraps a call. `decoy` is a harmless call. */
export type Wrap = (inner: Sent, random: Random, decoy: Sent) => Call

const [OWNER] = OWNERS

const on = (to: string, signature: string, ...args: readonly unknown[]): Call => ({ to, value: 0n, signature, args })

/** Returns the inner call among decoys. */
const among = (inner: Sent, random: Random, decoy: Sent): Sent[] => [
  ...Array<Sent>(random(3)).fill(decoy),
  inner,
  ...Array<Sent>(random(3)).fill(decoy),
]

export const packed = ({ to, value, data }: Sent, operation = 0): string =>
  concat([
    `0x0${operation}`,
    to,
    zeroPadValue(`0x${value.toString(16).padStart(2, '0').padStart(64, '0')}`, 32),
    `0x${((data.length - 2) / 2).toString(16).padStart(64, '0')}`,
    data,
  ])

/** Layers that combine several calls to the same contract. */
const WITHIN_CONTRACT: Readonly<Record<string, Wrap>> = {
  multicall: (inner, random, decoy) =>
    on(
      inner.to,
      'multicall(bytes[])',
      among(inner, random, decoy).map(({ data }) => data),
    ),
  'multicall with a deadline': (inner, random, decoy) =>
    on(
      inner.to,
      'multicall(uint256,bytes[])',
      FAR,
      among(inner, random, decoy).map(({ data }) => data),
    ),
}

const execSafe = (to: string, value: bigint, data: string, operation: number): Call =>
  on(
    SAFE,
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    ...[to, value, data, operation, 0n, 0n, 0n, ZERO, ZERO, '0x'],
  )

/** Layers for calls of the Safe: several calls in one, and a call by the Safe. */
const WITHIN_SAFE: Readonly<Record<string, Wrap>> = {
  multiSend: (inner, random, decoy) =>
    on(
      MULTI_SEND,
      'multiSend(bytes)',
      concat(among(inner, random, decoy).map(call => packed(call, call.to === MULTI_SEND ? 1 : 0))),
    ),
}
const INTO_SAFE: Readonly<Record<string, Wrap>> = {
  execTransaction: ({ to, value, data }) => execSafe(to, value, data, to === MULTI_SEND ? 1 : 0),
}

const tuple = ({ to, value, data }: Sent) => [to, value, data]

const WITHIN_ACCOUNT: Readonly<Record<string, Wrap>> = {
  execute: ({ to, value, data }) => on(ACCOUNT, 'execute(address,uint256,bytes)', to, value, data),
  'executeBatch of lists': (inner, random, decoy) => {
    const calls = among(inner, random, decoy)
    const [to, data] = [calls.map(call => call.to), calls.map(call => call.data)]
    return inner.value > 0n
      ? on(
          ACCOUNT,
          'executeBatch(address[],uint256[],bytes[])',
          to,
          calls.map(({ value }) => value),
          data,
        )
      : pick(random, [
          on(ACCOUNT, 'executeBatch(address[],bytes[])', to, data),
          on(
            ACCOUNT,
            'executeBatch(address[],uint256[],bytes[])',
            to,
            to.map(() => 0n),
            data,
          ),
          on(ACCOUNT, 'executeBatch(address[],uint256[],bytes[])', to, [], data),
        ])
  },
  'executeBatch of calls': (inner, random, decoy) =>
    on(ACCOUNT, 'executeBatch((address,uint256,bytes)[])', among(inner, random, decoy).map(tuple)),
  'execute in a mode': (inner, random, decoy) => {
    if (random(2) === 0)
      return on(
        ACCOUNT,
        'execute(bytes32,bytes)',
        0n,
        concat([inner.to, `0x${inner.value.toString(16).padStart(64, '0')}`, inner.data]),
      )
    const calls = encodeValues('((address,uint256,bytes)[] calls)', [among(inner, random, decoy).map(tuple)])
    return on(ACCOUNT, 'execute(bytes32,bytes)', 1n << 248n, calls)
  },
}

/** Operations of the account. Operations without a signature are sent by its owner. */
const INTO_ACCOUNT: Readonly<Record<string, Wrap>> = {
  handleOps: ({ data }) =>
    on(
      ENTRY_POINT,
      'handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)',
      [[ACCOUNT, 0n, '0x', data, 1n, 1n, 1n, 1n, 1n, '0x', '0x']],
      FRIEND,
    ),
  'handleOps, packed': ({ data }) =>
    on(
      ENTRY_POINT,
      'handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)',
      [[ACCOUNT, 0n, '0x', data, 1n, 1n, 1n, '0x', '0x']],
      FRIEND,
    ),
}

const INTO_FORWARDER: Readonly<Record<string, Wrap>> = {
  'forwarder execute': ({ to, value, data }) =>
    on(FORWARDER, 'execute((address,address,uint256,uint256,uint48,bytes,bytes))', [
      OWNER,
      to,
      value,
      1_000_000n,
      FAR,
      data,
      '0x',
    ]),
}

export const LAYERS: Readonly<Record<string, Wrap>> = {
  ...WITHIN_CONTRACT,
  ...WITHIN_SAFE,
  ...INTO_SAFE,
  ...WITHIN_ACCOUNT,
  ...INTO_ACCOUNT,
  ...INTO_FORWARDER,
}

/** Returns the account that executes a call with these layers: the sender, unless a layer changes it. */
export const holderOf = (layers: readonly string[], sender: string): string => {
  if (layers.some(layer => layer in INTO_SAFE)) return SAFE
  if (layers.some(layer => layer in WITHIN_ACCOUNT)) return ACCOUNT
  return sender
}

/** Returns names of at most `depth` compatible layers, the innermost first. */
export const layersFor = (random: Random, depth: number, hasData: boolean): readonly string[] => {
  const many = (from: Readonly<Record<string, Wrap>>, most: number) =>
    Array.from({ length: random(most + 1) }, () => pick(random, Object.keys(from)))
  const inner = hasData ? many(WITHIN_CONTRACT, depth) : []
  const rest = depth - inner.length
  switch (random(5)) {
    case 0:
      return [...inner, ...many(WITHIN_SAFE, rest), 'execTransaction']
    case 1:
      return [...inner, ...many(WITHIN_ACCOUNT, rest), pick(random, Object.keys(WITHIN_ACCOUNT))]
    case 2: {
      const into = pick(random, Object.keys(INTO_ACCOUNT))
      return [...inner, ...many(WITHIN_ACCOUNT, rest), pick(random, Object.keys(WITHIN_ACCOUNT)), into]
    }
    case 3:
      return hasData ? ['forwarder execute'] : ['execute']
    default:
      return inner.length > 0 ? inner : [hasData ? 'multicall' : 'execute']
  }
}
