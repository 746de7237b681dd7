/** UI methods for the overview: balances and activity of all accounts. */
import { toAddress } from '@heliograph/shared/evm/address'
import { accountsOf } from '../keys/keyring.ts'
import { READS_AT_ONCE } from '../networks/multicall.ts'
import { readAllBalances } from '../tokens/all-balances.ts'
import { searchIncoming } from '../tokens/incoming-search.ts'
import { listActivity } from '../transactions/all-activity.ts'
import type { Ui, UiParts } from './parts.ts'

type OverviewMethod =
  | 'getBalances'
  | 'getCoinBalances'
  | 'getAllActivity'
  | 'findIncoming'
  | 'seeIncoming'
  | 'setLooking'
  | 'lookAgain'

export const createOverviewUi = (parts: UiParts): Pick<Ui, OverviewMethod> => {
  const { vault, networks, assets, contacts, interfaces, incoming, activity, chain, tasks } = parts
  const { looking, looksByItself } = parts

  const accounts = async () => accountsOf(await vault.read())
  const addresses = async () => (await accounts()).map(({ address }) => address)
  const listedOn = async (chainId: number) => (await assets.list()).filter(asset => asset.chainId === chainId)

  return {
    getBalances: async ({ chainId }) =>
      readAllBalances(chain, await networks.get(chainId), await addresses(), await listedOn(chainId)),
    getCoinBalances: async ({ chainId }) => {
      const first = (await addresses()).slice(0, READS_AT_ONCE)
      const balances = await readAllBalances(chain, await networks.get(chainId), first, [])
      return balances.map(({ address, wei }) => ({ address, wei }))
    },
    getAllActivity: async ({ filter, skip }) => {
      const records = {
        accounts: await accounts(),
        contacts: await contacts.list(),
        assets: await assets.list(),
        activity: await activity.list(),
        networks: await Promise.all(
          (await networks.list()).map(async network => ({
            network,
            arrivals: await incoming.of(network.chainId),
            readOwn: await interfaces.reader(network.chainId),
          })),
        ),
      }
      return listActivity(records, filter, skip)
    },
    findIncoming: async ({ chainId }) => {
      const search = {
        incoming,
        chain,
        network: await networks.get(chainId),
        accounts: await addresses(),
        listed: (await listedOn(chainId)).map(({ address }) => address),
      }
      const { refusal } = await tasks.run('findIncoming', progress => searchIncoming(search, progress))
      return { refusal }
    },
    seeIncoming: async ({ address, chainId }) => {
      await looking.see({ chainId, account: toAddress(address) })
      return null
    },
    setLooking: async ({ on }) => {
      await vault.read()
      await looksByItself.update(() => on === true)
      return null
    },
    lookAgain: async ({ chainId }) => {
      await looking.again(chainId)
      return null
    },
  }
}
