/**
 * Whether an account can run several calls in one transaction, with the code of BATCH_DELEGATE (EIP-7702). The code at
 * that address is compared with the published one before each use. `docs/batches.md` has the contract's source and its
 * audits. https://eips.ethereum.org/EIPS/eip-7702
 */
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { recoverAuthorization, type SignedAuthorization, signAuthorization } from '@heliograph/shared/evm/authorization'
import { decodeData, encodeData, encodeQuantity, type Hex, isHex } from '@heliograph/shared/evm/hex'
import type { Network } from '@heliograph/shared/network'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { randomBytes } from '@noble/hashes/utils.js'
import { BATCH_DELEGATE } from '../../messages.ts'
import type { Outcome } from '../networks/answers.ts'
import { askAll, type Question } from '../networks/node.ts'
import type { Context } from '../requests/context.ts'
import { isRemovalOf } from './delegation.ts'
import { delegateIn } from './designation.ts'
import { findUnderWay } from './own-transactions.ts'

/** keccak256 of the published runtime code: deployments/ethereum/Simple7702Account.json of account-abstraction v0.8.0. */
const CODE_HASH = '0x82c1e6c0f83d22eef579344e8eff26baf24db4dabe5408d681b00d0512bc3ec4'
/** `entryPoint()`, a function of the contract that returns a constant. */
const ENTRY_POINT = '0xb0d691fe'
/** The constant, as the function returns it: https://github.com/eth-infinitism/account-abstraction/releases/tag/v0.8.0 */
const ENTRY_POINT_ANSWER = '0x0000000000000000000000004337084d9e255ff0702461cf8895ce9e3b5ff108'
const KEY_BYTES = 32

/**
 * `ready`: a transaction can give the account the code. `replaces` is the contract whose code the account has now.
 * `supported`: the account has the code. `unsupported` also stands for a network on which this could not be found out.
 */
export type Atomicity =
  | { status: 'unsupported' }
  | { status: 'ready'; replaces: Address | null }
  | { status: 'supported' }

export type AtomicityParts = Pick<Context, 'chain' | 'network' | 'activity' | 'chainResets'>

const UNSUPPORTED: Atomicity = { status: 'unsupported' }

const inJson = ({ chainId, address, nonce, yParity, r, s }: SignedAuthorization) => ({
  address,
  ...{ chainId: encodeQuantity(chainId), nonce: encodeQuantity(nonce) },
  ...{ yParity: encodeQuantity(yParity), r: encodeQuantity(r), s: encodeQuantity(s) },
})

/**
 * Returns a call that only succeeds on a network with delegations: a new account without coins, whose key is forgotten,
 * delegates to the contract, and the contract's function runs at its address.
 */
const tryDelegation = ({ chainId }: Network): Question => {
  const authorization = { chainId: BigInt(chainId), address: BATCH_DELEGATE, nonce: 0n } as const
  const signed = signAuthorization(authorization, randomBytes(KEY_BYTES))
  const call = { to: recoverAuthorization(signed), data: ENTRY_POINT, authorizationList: [inJson(signed)] }
  return { method: 'eth_call', params: [call, 'latest'] }
}

const hexIn = (outcome: Outcome | undefined): Hex | null =>
  outcome && 'result' in outcome && isHex(outcome.result) ? outcome.result : null

const isPublishedCode = (code: Hex | null): boolean =>
  code !== null && encodeData(keccak_256(decodeData(code))) === CODE_HASH

/** Queries the network's node. Throws 4901. */
export const readAtomicity = async (parts: AtomicityParts, account: Address): Promise<Atomicity> => {
  const { chain, network } = parts
  const codeAt = (address: Address): Question => ({ method: 'eth_getCode', params: [address, 'latest'] })
  const outcomes = await askAll(chain, network, [codeAt(BATCH_DELEGATE), codeAt(account), tryDelegation(network)])
  const [published, code, tried] = outcomes.map(hexIn)
  if (!isPublishedCode(published ?? null)) return UNSUPPORTED
  const delegate = delegateIn(code)
  if (delegate === null)
    return code === '0x' && tried?.toLowerCase() === ENTRY_POINT_ANSWER
      ? { status: 'ready', replaces: null }
      : UNSUPPORTED
  if (!sameAddress(delegate, BATCH_DELEGATE)) return { status: 'ready', replaces: delegate }
  // A removal on its way takes effect before the next transaction. Without its code, the account would ignore the calls.
  const ending = await findUnderWay(parts, isRemovalOf(account))
  return ending === undefined ? { status: 'supported' } : { status: 'ready', replaces: null }
}
