/** eth_coinbase: the site's main account, for old pages. Null if eth_accounts is empty. */
import { type Answering, mainAccount } from '../requests/context.ts'

export const coinbase: Answering = {
  answer: async context => {
    const account = await mainAccount(context)
    return account?.toLowerCase() ?? null
  },
}
