/** Says in a plain sentence what a request will do. Names in it are the site's: draw it through Text. */
import type { Effect, NetworkView, RequestView } from '../messages.ts'
import type { IconName } from './icons.ts'
import { byteLength, formatBytes, formatExact, withUnit } from './numbers.ts'
import { type TextKey, text } from './text.ts'
import { cutName } from './text-safety.ts'

/** `kind` is the small line above the title, `note` the one below it, `party` whom it is about. */
export type Headline = {
  icon: IconName
  kind: string
  title: string
  note: string
  party: { label: string; address: string; of: 'account' | 'contract' } | null
}

type Transaction = Extract<Effect, { kind: 'transaction' }>

/** Calls whose meaning is known from their signature. What a token is called is not, so it is not said. */
const CALLS: Readonly<Record<string, TextKey>> = {
  'transfer(address,uint256)': 'callTransfer',
  'transferFrom(address,address,uint256)': 'callTransferFrom',
  'safeTransferFrom(address,address,uint256)': 'callTransferFrom',
  'safeTransferFrom(address,address,uint256,bytes)': 'callTransferFrom',
  'safeTransferFrom(address,address,uint256,uint256,bytes)': 'callTransferFrom',
  'approve(address,uint256)': 'callApprove',
  'increaseAllowance(address,uint256)': 'callApprove',
  'increaseApproval(address,uint256)': 'callApprove',
  'setApprovalForAll(address,bool)': 'callApproveAll',
}

const amountOf = (value: string, { symbol, decimals }: NetworkView): string =>
  withUnit(formatExact(BigInt(value), decimals), symbol)

const titleOf = ({ to, value, data, call }: Transaction, network: NetworkView): string => {
  if (to === null) return text('deployContract')
  if (data === '0x') return text('sendAmount', amountOf(value, network))
  return text((call && CALLS[call.signature]) ?? 'contractCall')
}

/** The receiver of a transfer; of any other call, the contract. */
const partyOf = ({ to, data, call }: Transaction): Headline['party'] => {
  if (to === null) return null
  if (data === '0x') return { label: text('to'), address: to, of: 'account' }
  const receiver = call?.name === 'transfer' ? call.args.find(({ type }) => type === 'address')?.value : undefined
  if (typeof receiver === 'string') return { label: text('to'), address: receiver, of: 'account' }
  return { label: text('onContract'), address: to, of: 'contract' }
}

export const headlineOf = ({ effect, network }: Pick<RequestView, 'effect' | 'network'>): Headline => {
  switch (effect.kind) {
    case 'unlock':
    case 'connect':
      return { icon: 'link', kind: text('kindConnection'), title: text('connectToSite'), note: '', party: null }
    case 'message': {
      const title =
        effect.text === null ? text('signBytes', formatBytes(byteLength(effect.bytes))) : text('signMessage')
      return { icon: 'sign', kind: text('kindSignature'), title, note: text('noFee'), party: null }
    }
    case 'typedData': {
      const title = text('signTyped', cutName(effect.primaryType))
      return { icon: 'sign', kind: text('kindTypedData'), title, note: text('noFeeNow'), party: null }
    }
    case 'transaction':
      return {
        icon: effect.data === '0x' ? 'send' : 'contract',
        kind: text(effect.broadcast ? 'kindTransaction' : 'kindSignedOnly'),
        title: titleOf(effect, network),
        note: effect.broadcast ? '' : text('signedOnly'),
        party: partyOf(effect),
      }
  }
}
