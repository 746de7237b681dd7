/** What a transaction will do, as far as it can be told from the transaction itself. */
import { type Call, decodeCall } from '@heliograph/shared/evm/calldata'
import { fromQuantity, toQuantity } from '@heliograph/shared/evm/hex'
import type { Effect, Finding } from '../../messages.ts'
import { type Filled, highestFee } from '../transaction.ts'
import type { Review } from './message.ts'

type DecodedCall = Extract<Call, { kind: 'call' }>

const argument = (call: DecodedCall, name: string) => call.args.find(arg => arg.name === name)

/** An amount from half of what its type can hold upwards has no bound, whatever its exact digits. */
const isUnlimited = (call: DecodedCall): boolean => {
  const amount = argument(call, 'value')
  const bits = Number(/^uint(\d+)$/.exec(amount?.type ?? '')?.[1])
  return typeof amount?.value === 'string' && BigInt(amount.value) >> BigInt(bits - 1) !== 0n
}

/** DAI's permit knows no amount: it allows everything or nothing. */
const allowsEverything = (call: DecodedCall) => argument(call, 'allowed')?.value === 'true'

const unlimitedAllowance: Finding = {
  level: 'danger',
  title: 'Unlimited spending',
  text: 'This lets the spender take all of this token from your account, now and later, until you revoke it.',
}
const approvalForAll: Finding = {
  level: 'danger',
  title: 'Control of a whole collection',
  text: 'This lets the operator move every item of this collection that your account holds, now and later.',
}
const createsContract: Finding = {
  level: 'caution',
  title: 'Deploys a contract',
  text: 'The code runs on the network under its own address. Only deploy code that you know.',
}
const unknownCall: Finding = {
  level: 'caution',
  title: 'Unfamiliar contract call',
  text: 'The wallet does not know this function, so it cannot say what it does.',
}
const malformedCall = (why: string): Finding => ({
  level: 'caution',
  title: 'Malformed contract call',
  text: `The data names a function that the wallet knows, but does not fit it: ${why}.`,
})
const likelyToFail = (reason: string): Finding => ({
  level: 'caution',
  title: 'Likely to fail',
  text: `The network's node says: ${reason}. The fee is paid even so.`,
})

const allowanceNames = new Set(['approve', 'increaseAllowance', 'increaseApproval', 'permit'])

const findingsOf = (call: Call): Finding[] => {
  if (call.kind === 'malformed') return [malformedCall(call.why)]
  if (call.name === 'setApprovalForAll') return argument(call, 'approved')?.value === 'true' ? [approvalForAll] : []
  if (!allowanceNames.has(call.name)) return []
  return isUnlimited(call) || allowsEverything(call) ? [unlimitedAllowance] : []
}

const reviewCall = (data: Filled['transaction']['data'], to: string | null, call: Call | undefined): Finding[] => {
  if (to === null) return [createsContract]
  if (data === '0x') return []
  return call ? findingsOf(call) : [unknownCall]
}

/** A pure function of the filled transaction; `purpose` says whether the wallet sends it or only signs it. */
export const reviewTransaction = ({ transaction, expected, failure }: Filled, purpose: 'sign' | 'send'): Review => {
  const { to = null, nonce = null, value, data, gas } = transaction
  const call = to === null ? undefined : decodeCall(data)
  const effect: Effect = {
    kind: 'transaction',
    broadcast: purpose === 'send',
    to,
    value,
    data,
    nonce,
    call: call?.kind === 'call' ? { name: call.name, signature: call.signature, args: call.args } : null,
    fee: {
      gas,
      expected: fromQuantity(toQuantity(gas) * expected),
      atMost: fromQuantity(highestFee(transaction)),
    },
  }
  const findings = reviewCall(data, to, call)
  return { effect, findings: failure === null ? findings : [...findings, likelyToFail(failure)] }
}
