/** eth_unsubscribe: removes a site's subscription. Returns whether it existed. */
import { parseParams } from '@heliograph/shared/wire/params'
import * as v from 'valibot'
import type { Answering } from '../requests/context.ts'

const Params = v.tuple([v.string()])

export const unsubscribe: Answering = {
  answer: ({ origin, subscriptions }, params) => {
    const [id] = parseParams(params, Params)
    return subscriptions.remove(origin, id)
  },
}
