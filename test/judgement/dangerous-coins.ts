/** Unknown contracts that take coins or tokens, and contracts that behave differently in a simulation. */
import { ACCOUNT, COUNTERFEIT, THIEF, THIEF_CONTRACT, USDC, WETH, ZERO } from './addresses.ts'
import { unlimited } from './contracts.ts'
import { batch, calling, encodeCall, ether, usdc } from './encode.ts'
import { startThiefsChain } from './real-chain.ts'
import { type DangerousRow, EVERYTHING, unidentified } from './rows.ts'
import { alsoMoving, move, movingAt, type Simulation } from './simulated.ts'

const contract = unidentified(THIEF_CONTRACT)
const nearlyAll = ether('4.9')

/** A call of the thief's contract with 4.9 of 5 ETH. */
const taking = (name: string, signature: string, values: readonly unknown[] = []): DangerousRow => ({
  name,
  atLeast: 'danger',
  says: ['4.9 ETH', contract],
  request: calling(THIEF_CONTRACT, signature, values, nearlyAll),
})

/** A call of the thief's contract without coins. */
const luring = (name: string, signature: string, says: DangerousRow['says'], simulation: Simulation): DangerousRow => ({
  name,
  atLeast: 'danger',
  says,
  request: calling(THIEF_CONTRACT, signature),
  node: { simulation },
})

/** A call of a contract that has an allowance for all USDC. It shows a gain if it detects a simulation. */
const disguised = (name: string, simulation: Simulation): DangerousRow => ({
  ...luring(name, 'claim()', [/differ|watched|simulat|tell|5000 USDC/i], simulation),
  node: { simulation, rights: [unlimited(USDC, THIEF_CONTRACT)] },
})

const allTokens = [move(USDC, usdc('5000'), ACCOUNT, THIEF), move(WETH, ether('3'), ACCOUNT, THIEF)]
const allTokensLeave = ['5000 USDC', '3 WETH', EVERYTHING]

const OPERATIONS = '(address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[]'
const FORWARDED = '(address,address,uint256,uint256,uint48,bytes,bytes)[]'

const gain = move(WETH, ether('1'), THIEF_CONTRACT, ACCOUNT)
const loss = move(USDC, usdc('5000'), ACCOUNT, THIEF)

export const dangerousCoins: readonly DangerousRow[] = [
  taking('deposit-of-unknown-contract', 'deposit()'),
  taking('empty-multicall-with-coins', 'multicall(bytes[])', [[]]),
  taking('withdraw-that-takes-coins', 'withdraw(uint256)', [nearlyAll]),
  taking('execute-towards-the-own-account', 'execute(address,uint256,bytes)', [ACCOUNT, nearlyAll, '0x']),
  taking('claim-with-coins', 'claim()'),
  taking('security-update-with-coins', 'SecurityUpdate()'),
  taking('handle-ops-of-unknown-contract', `handleOps(${OPERATIONS},address)`, [[], THIEF]),
  {
    ...taking('profit-shown-by-simulation', 'claim()'),
    says: ['4.9 ETH', contract, '14.9 ETH'],
    node: { simulation: alsoMoving(move(null, ether('14.9'), THIEF_CONTRACT, ACCOUNT)) },
  },
  { ...taking('no-simulation-at-all', 'mint(uint256)', [1n]), node: { simulation: null } },
  {
    name: 'claim-of-an-address-without-code',
    atLeast: 'danger',
    says: ['4.9 ETH', unidentified(THIEF)],
    request: calling(THIEF, 'claim()', [], nearlyAll),
  },
  {
    name: 'forwarder-batch-with-coins',
    atLeast: 'caution',
    says: ['4 ETH', contract],
    request: calling(THIEF_CONTRACT, `executeBatch(${FORWARDED},address)`, [[], THIEF], ether('4')),
  },
  {
    name: 'deposit-of-a-tenth',
    atLeast: 'caution',
    says: ['0.5 ETH', contract],
    request: calling(THIEF_CONTRACT, 'deposit()', [], ether('0.5')),
  },
  {
    name: 'batch-whose-last-call-takes-the-coins',
    atLeast: 'danger',
    says: ['4.9 ETH', contract],
    request: batch(
      { to: WETH, data: encodeCall('deposit()'), value: 1n },
      { to: THIEF_CONTRACT, data: encodeCall('deposit()'), value: nearlyAll },
    ),
    node: { simulation: movingAt(WETH, move(WETH, 1n, ZERO, ACCOUNT)) },
  },
  luring('simulated-loss-behind-a-known-name', 'deposit()', allTokensLeave, alsoMoving(...allTokens)),
  luring('simulated-loss-behind-an-unknown-name', 'claim()', allTokensLeave, alsoMoving(...allTokens)),
  disguised('honest-only-at-gas-price-zero', ({ gasPrice }) => [gasPrice === 0n ? gain : loss]),
  disguised('honest-only-without-a-proposer', ({ coinbase }) => [BigInt(coinbase) === 0n ? gain : loss]),
  luring(
    'counterfeit-token-comes-in',
    'swap()',
    ['3 WETH', /not (?:the|your|in)|counterfeit|fake|imitat|another|different/i],
    alsoMoving(
      move(WETH, ether('3'), ACCOUNT, THIEF_CONTRACT),
      move(COUNTERFEIT, usdc('9000'), THIEF_CONTRACT, ACCOUNT),
    ),
  ),
  { ...taking('real-chain-honest-at-gas-price-zero', 'deposit()'), start: startThiefsChain },
]
