/** Facts from a node that decide about money, and their forms in which two nodes' answers can be compared. */
import { EMPTY_CODE_HASH, hashCode, readAccountProof } from '@heliograph/shared/evm/account-proof'
import type { Address } from '@heliograph/shared/evm/address'
import { type Hex, isHex } from '@heliograph/shared/evm/hex'
import { isObject } from '@heliograph/shared/evm/json'
import type { FactName } from '../../messages.ts'
import type { Outcome } from './answers.ts'
import type { Question } from './node.ts'
import { quantityOf } from './quantities.ts'

/**
 * A fact. `about` is the address of the account, recipient or token. `read` returns the answer's comparable form, or null
 * if there is none. `account` is set if a proof of this account proves the fact.
 */
export type Fact = {
  name: FactName
  about: Address
  question: Question
  read(outcome: Outcome | undefined): string | null
  account?: Address
}

const LATEST = 'latest'
/** `balanceOf(address)` and `allowance(address,address)` of https://eips.ethereum.org/EIPS/eip-20 */
const BALANCE_OF = '0x70a08231'
const ALLOWANCE = '0xdd62ed3e'
/** Digits of a word. A contract's answer of another length is not a number. */
const WORD = 64

const addressWord = (address: string): string => address.slice(2).toLowerCase().padStart(WORD, '0')

const decimalIn = (outcome: Outcome | undefined): string | null => quantityOf(outcome)?.toString() ?? null

const wordIn = (outcome: Outcome | undefined): string | null =>
  outcome && 'result' in outcome && isHex(outcome.result) && outcome.result.length === '0x'.length + WORD
    ? BigInt(outcome.result).toString()
    : null

const codeHashIn = (outcome: Outcome | undefined): string | null =>
  outcome && 'result' in outcome && isHex(outcome.result) ? hashCode(outcome.result) : null

/** An account's balance, as decimal wei. */
export const balanceFact = (account: Address): Fact => ({
  name: 'balance',
  about: account,
  account,
  question: { method: 'eth_getBalance', params: [account, LATEST] },
  read: decimalIn,
})

/** The number of an account's used nonces, in decimal. */
export const nonceFact = (account: Address): Fact => ({
  name: 'nonce',
  about: account,
  account,
  question: { method: 'eth_getTransactionCount', params: [account, LATEST] },
  read: decimalIn,
})

/** The hash of an address's code. */
export const codeFact = (address: Address): Fact => ({
  name: 'code',
  about: address,
  account: address,
  question: { method: 'eth_getCode', params: [address, LATEST] },
  read: codeHashIn,
})

const tokenFact = (name: FactName, token: Address, data: string): Fact => ({
  name,
  about: token,
  question: { method: 'eth_call', params: [{ to: token, data }, LATEST] },
  read: wordIn,
})

/** An account's balance of a token, in decimal. Its storage slot is unknown, so it cannot be proved. */
export const tokenBalanceFact = (token: Address, account: Address): Fact =>
  tokenFact('tokenBalance', token, `${BALANCE_OF}${addressWord(account)}`)

/** What a spender may take of an account's token, in decimal. It cannot be proved, either. */
export const allowanceFact = (token: Address, account: Address, spender: Address): Fact =>
  tokenFact('allowance', token, `${ALLOWANCE}${addressWord(account)}${addressWord(spender)}`)

export const proofQuestion = (account: Address): Question => ({
  method: 'eth_getProof',
  params: [account, [], LATEST],
})

/** An account's facts, in their comparable forms, as a proof shows them. */
export type ProvedAccount = Readonly<Partial<Record<FactName, string>>>

/** Verifies a node's proof of an account against a state root. Null if there is no proof, or not a valid one. */
export const provedIn = (outcome: Outcome | undefined, stateRoot: Hex, account: Address): ProvedAccount | null => {
  if (!outcome || !('result' in outcome) || !isObject(outcome.result)) return null
  const { accountProof } = outcome.result
  if (!Array.isArray(accountProof) || !accountProof.every(isHex)) return null
  try {
    const { balance, nonce, codeHash } = readAccountProof(stateRoot, account, accountProof)
    return { balance: String(balance), nonce: String(nonce), code: codeHash }
  } catch {
    // A node that serves malformed proofs proves nothing, and may still tell the truth.
    return null
  }
}

/** True if the comparable form of a code fact is of an address with code. */
export const hasCode = (codeHash: string): boolean => codeHash !== EMPTY_CODE_HASH
