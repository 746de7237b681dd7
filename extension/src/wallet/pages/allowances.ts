/** UI methods for listing and revoking allowances. */
import { toAddress } from '@heliograph/shared/evm/address'
import type { AllowanceView, FindingName, RevocationInput } from '../../messages.ts'
import { readAllowances, readStanding, type Standing } from '../allowances/current.ts'
import { type Given, keyOf, newestOf, readGiven } from '../allowances/given.ts'
import { isRevocation, revocationOf } from '../allowances/revocation.ts'
import { searchLogs } from '../networks/log-search.ts'
import { askQuantity } from '../networks/node.ts'
import { onBehalfOf } from '../networks/node-uses.ts'
import { rpcError } from '../text/errors.ts'
import type { AccountAtNode } from '../tokens/token-contracts.ts'
import { draftOwn, findUnderWay, sendOwn } from '../transactions/own-transactions.ts'
import { editRequest } from '../transactions/transaction.ts'
import type { Ui, UiParts } from './parts.ts'

/** Findings that also apply to a revocation, which the wallet itself builds. */
const OF_SENDING: ReadonlySet<FindingName> = new Set<FindingName>([
  'displacesSigned',
  'gasTooLow',
  'insufficientFunds',
  'likelyToFail',
  'nonceGap',
  'replacesPending',
])

/**
 * Maximum number of allowances found per search. Anyone can create contracts that log fake approvals; a further search
 * continues from there.
 */
export const MAX_STANDING = 1_000

export const createAllowancesUi = (
  parts: UiParts,
): Pick<Ui, 'findAllowances' | 'reviewRevocation' | 'revokeAllowance'> => {
  const { vault, networks, assets, chain, tasks, now } = parts

  const onChain = async ({ chainId, from }: RevocationInput) => ({
    ...parts,
    network: onBehalfOf(await networks.get(chainId), from),
  })

  const withRevocation = async (
    { network, account }: AccountAtNode,
    allowance: AllowanceView,
  ): Promise<AllowanceView> => {
    const { kind, spender, item, token } = allowance
    const input = { from: account, chainId: network.chainId, kind, token: token.address, spender, item }
    const revocation = await findUnderWay({ ...parts, network }, isRevocation(revocationOf(input)))
    return revocation ? { ...allowance, revocation } : allowance
  }

  return {
    findAllowances: async ({ address, chainId, before }) => {
      const account = toAddress(address)
      const place = { chain, network: onBehalfOf(await networks.get(chainId), account), account }
      await vault.read()
      return tasks.run('findAllowances', async progress => {
        const head = Number(await askQuantity(chain, place.network, 'eth_blockNumber'))
        let looked = { from: Math.min(before ?? head + 1, head + 1), to: head }
        const standing = new Map<string, Standing>()
        const isFull = () => standing.size >= MAX_STANDING
        // Logs are read newest first, so an older log of a known allowance is outdated.
        const keep = async (given: readonly Given[]) => {
          const unknown = newestOf(given).filter(one => !standing.has(keyOf(one)))
          for (const one of await readStanding(place, unknown, now())) standing.set(keyOf(one), one)
        }
        const read = (range: typeof looked) => readGiven(place, range)
        const first = looked.from
        const { ended, refusal } = await searchLogs(
          { read, progress, isFull },
          head,
          looked,
          async (given, reached) => {
            await keep(given)
            looked = reached
          },
        )
        if (refusal !== null && looked.from === first)
          throw rpcError('resourceUnavailable', 'nodeNoLogs', { network: place.network.title, text: refusal })
        const listed = (await assets.list()).filter(asset => asset.chainId === chainId)
        const views = await readAllowances(place, [...standing.values()], listed)
        const allowances = await Promise.all(views.map(allowance => withRevocation(place, allowance)))
        return { allowances, search: { ...looked, ended }, refusal, isCut: isFull() && !ended }
      })
    },
    reviewRevocation: async input => {
      const { effect, findings } = await draftOwn(await onChain(input), editRequest(revocationOf(input), input))
      return { effect, findings: findings.filter(({ name }) => OF_SENDING.has(name)) }
    },
    revokeAllowance: async ({ id, ...input }) => {
      const request = editRequest(revocationOf(input), input)
      return sendOwn(await onChain(input), id, request, isRevocation(request))
    },
  }
}
