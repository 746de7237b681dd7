/** What signing typed data means. Without a decoder for its kind the wallet shows it whole and says so. */
import { describeTypedData, type TypedData } from '@heliograph/shared/evm/typed-data'
import type { Finding } from '../../messages.ts'
import type { Review } from './message.ts'
import { hasHiddenCharacters } from './text.ts'

/** Primary types whose signature lets somebody take tokens, now or later, without a transaction of the signer. */
const MOVES_TOKENS =
  /^Permit|^(?:Order|OrderComponents|MetaTransaction|TransferWithAuthorization|ReceiveWithAuthorization)$/

const movesTokens: Finding = {
  level: 'caution',
  title: 'This signature can move tokens',
  text: 'Whoever holds it can use it later without asking again. Check who may spend, how much and until when.',
}

const unknownFormat: Finding = {
  level: 'caution',
  title: 'Unfamiliar format',
  text: 'The wallet does not know this kind of data. It is shown in full; read it before you sign.',
}

const hiddenCharacters: Finding = {
  level: 'caution',
  title: 'Hidden characters',
  text: 'A text in the data holds characters that are normally invisible. They are drawn here as codes.',
}

export const reviewTypedData = (typedData: TypedData): Review => {
  const { domain, message } = describeTypedData(typedData)
  const { primaryType } = typedData
  const json = JSON.stringify(typedData, null, 2)
  const findings = [MOVES_TOKENS.test(primaryType) ? movesTokens : unknownFormat]
  if (hasHiddenCharacters(json)) findings.push(hiddenCharacters)
  return { effect: { kind: 'typedData', domain, primaryType, message, json }, findings }
}
