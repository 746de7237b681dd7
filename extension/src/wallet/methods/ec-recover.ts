/** personal_ecRecover: returns the account that signed a message with personal_sign on the site's network. */
import { recoverMessage } from '@heliograph/shared/evm/message'
import { decodeMessage } from '@heliograph/shared/wire/node-methods'
import { parseParams } from '@heliograph/shared/wire/params'
import * as v from 'valibot'
import type { Answering } from '../requests/context.ts'

const Params = v.tuple([v.string(), v.string()])

export const ecRecover: Answering = {
  answer: async ({ network }, params) => {
    const [message, signature] = parseParams(params, Params)
    return recoverMessage(decodeMessage(message), signature, network.signedMessageNames.personal_sign).toLowerCase()
  },
}
