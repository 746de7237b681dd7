/** What signing typed data means. Without a decoder for its kind the wallet shows it whole and says so. */
import { describeTypedData, type TypedData } from '@heliograph/shared/evm/typed-data'
import type { Finding, FindingName } from '../../messages.ts'
import type { Review } from './message.ts'
import { hasHiddenCharacters } from './text.ts'

/** Primary types whose signature lets somebody take tokens, now or later, without a transaction of the signer. */
const MOVES_TOKENS =
  /^Permit|^(?:Order|OrderComponents|MetaTransaction|TransferWithAuthorization|ReceiveWithAuthorization)$/

const caution = (name: FindingName): Finding => ({ level: 'caution', name, values: [] })

export const reviewTypedData = (typedData: TypedData): Review => {
  const { domain, message } = describeTypedData(typedData)
  const { primaryType } = typedData
  const json = JSON.stringify(typedData, null, 2)
  const findings = [caution(MOVES_TOKENS.test(primaryType) ? 'movesTokens' : 'unknownFormat')]
  if (hasHiddenCharacters(json)) findings.push(caution('hiddenCharacters'))
  return { effect: { kind: 'typedData', domain, primaryType, message, json }, findings }
}
