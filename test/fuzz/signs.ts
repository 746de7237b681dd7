/**
 * Signs by which the contract of `contracts/trap.sol` recognizes a simulation, and the block in which its transaction
 * is executed. The wallet simulates in the next block with a gas price, and then three blocks and 60 s after that
 * block, with another gas limit and another proposer.
 */

/**
 * The block of execution. `blocks` is its distance from the latest block, at 12 seconds per block; `late` are further
 * seconds. Omitted values are the latest block's.
 */
export type Mined = { blocks: number; late?: number; gasLimit?: bigint; proposer?: string }

/** Parameters of debug_traceCall with which a careless wallet reveals the sign. */
type Careless = {
  transaction?: Readonly<Record<string, string>>
  block?: Readonly<Record<string, string>>
  balance?: string
}

/**
 * `shown` is the first of the wallet's runs that shows the loss. If neither run shows it, the caution about an
 * unidentified contract remains. `careless` is absent if the next block itself has the sign.
 */
export type Sign = { name: string; shown: 'first' | 'second' | 'neither'; mined: Mined; careless?: Careless }

/** Gas limit of the blocks. A real chain changes it by at most a 1024th. */
export const GAS_LIMIT = 0x2_0000_0000n
const OTHER_PROPOSER = '0x00000000000000000000000000000000000d15ea'
const NEXT: Mined = { blocks: 1 }

const ZERO_WORD = `0x${'0'.repeat(64)}`
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

const first = (name: string, careless: Careless): Sign => ({ name, shown: 'first', mined: NEXT, careless })

/** The signs, in the order of the contract's enum. */
export const SIGNS: readonly Sign[] = [
  // The first run has all values of a real block and transaction, so these contracts take the tokens in the first run.
  first('gas price of zero', {}),
  first('no proposer', { block: { coinbase: ZERO_ADDRESS } }),
  first('no randomness', { block: { prevRandao: ZERO_WORD } }),
  first('caller with a million coins', { balance: '0xffffffffffffffffffffffffffff' }),
  first('twenty million gas', { transaction: { gas: '0x1c9c380' } }),
  first('another gas limit', { block: { gasLimit: '0x1c9c380' } }),
  first('fee not paid', {}),
  first('no caller', { transaction: { from: ZERO_ADDRESS } }),
  first('number of the latest block', { block: { number: '0x1' } }),
  first('time of the latest block', { block: { time: '0x1' } }),
  // These contracts do no harm while the block has a value that the next block need not have. The second run has a
  // different value, so they take the tokens in it.
  { name: 'number of the next block', shown: 'second', mined: { blocks: 2 } },
  { name: 'time of the next block', shown: 'second', mined: { blocks: 2 } },
  {
    name: 'gas limit of the latest block',
    shown: 'second',
    mined: { ...NEXT, gasLimit: GAS_LIMIT + GAS_LIMIT / 1024n },
  },
  { name: 'proposer of the latest block', shown: 'second', mined: { ...NEXT, proposer: OTHER_PROPOSER } },
  // The second run is an odd number of blocks after the first, so the contract can tell the runs apart by the parity.
  { name: 'odd distance from the latest block', shown: 'second', mined: { blocks: 2 } },
  // Neither run is late enough for this contract to take the tokens.
  { name: 'number of ten blocks', shown: 'neither', mined: { blocks: 11 } },
  // The second run's time is late for its block number, as after missed slots.
  { name: 'no missed block', shown: 'second', mined: { ...NEXT, late: 12 } },
  // The wallet simulates blocks of these proposers, so neither run shows the loss. Other proposers make about half of
  // the blocks.
  { name: 'proposers of the wallet', shown: 'neither', mined: { ...NEXT, proposer: OTHER_PROPOSER } },
  // This simulated node ignores the base fee in eth_simulateV1, but uses it in a trace.
  { name: 'no base fee', shown: 'neither', mined: NEXT, careless: { block: { baseFee: '0x0' } } },
  // A trace has the latest block's randomness. In eth_simulateV1, the wallet sets another randomness.
  { name: 'randomness of the latest block', shown: 'neither', mined: NEXT, careless: {} },
]
