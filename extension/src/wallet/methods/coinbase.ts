/** eth_coinbase: the site's main account, as old pages ask for it; null where eth_accounts is empty. */
import { type Answering, mainAccount } from '../method.ts'

export const coinbase: Answering = {
  answer: async context => {
    const account = await mainAccount(context)
    return account?.toLowerCase() ?? null
  },
}
