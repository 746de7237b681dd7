/** Handlers of all UI methods. Sites cannot reach them. */
import { rpcError } from '@heliograph/shared/errors'
import { toAddress } from '@heliograph/shared/evm/address'
import { fromQuantity } from '@heliograph/shared/evm/hex'
import { askQuantity } from '../networks/node.ts'
import { REJECTED } from '../requests/approvals.ts'
import { withAllowance } from '../review/allowance.ts'
import { rejectProposals } from '../session/pairing.ts'
import { report } from '../work/failures.ts'
import { createAccountsUi } from './accounts.ts'
import { createAllowancesUi } from './allowances.ts'
import { createContactsUi } from './contacts.ts'
import { createImportUi } from './import.ts'
import { createInterfacesUi } from './interfaces.ts'
import { createNetworksUi } from './networks.ts'
import type { Ui, UiParts } from './parts.ts'
import { createSecretsUi } from './secrets.ts'
import { createSessionsUi } from './sessions.ts'
import { createSitesUi } from './sites.ts'
import { readUiState } from './state.ts'
import { createTokensUi } from './tokens.ts'
import { createTransactionsUi } from './transactions.ts'
import { createVaultUi } from './vault.ts'

export const createUi = (parts: UiParts): Ui => {
  const {
    vault,
    drafts,
    networks,
    kept,
    requests,
    tasks,
    approvals,
    rejections,
    open,
    acted,
    chain,
    announce,
    publish,
  } = parts
  const { sessions, safety, now } = parts

  /** Records a rejection, for muting the site. A request is decided once. */
  const note = async (key: string, approved: boolean) => {
    const request = (await requests.open()).find(open => open.key === key)
    if (!request) return
    if (approved) await rejections.forget(request.origin)
    else await rejections.note(request.origin, [request.method])
  }
  const reject = async (key: string) => {
    await note(key, false)
    await approvals.decide(key, REJECTED)
  }

  /** Requires the password for a method that spends, if the user wants that. */
  const behindPassword =
    <P extends { password?: string }, R>(act: (params: Omit<P, 'password'>) => Promise<R>) =>
    async ({ password, ...params }: P): Promise<R> => {
      await safety.assertPassword(password)
      return act(params)
    }

  /** Throws if the request has expired or is blocked, and checks the password for transactions. */
  const assertApprovable = async (key: string, password: string | undefined) => {
    const request = (await requests.open()).find(open => open.key === key)
    if (request?.expiresAt !== undefined && request.expiresAt <= now())
      throw rpcError('invalidParams', 'This request has expired.')
    const blocked = request?.findings.find(({ level }) => level === 'blocked')
    if (blocked) throw rpcError('invalidParams', `The request cannot be approved: ${blocked.name}`)
    // Effects with a fee are one or several transactions.
    if (request && 'fee' in request.effect) await safety.assertPassword(password)
  }

  const transactions = createTransactionsUi(parts)
  const allowances = createAllowancesUi(parts)

  return {
    ...createVaultUi(parts),
    ...createAccountsUi(parts),
    ...createSecretsUi(parts),
    ...createImportUi(parts),
    ...createContactsUi(parts),
    ...allowances,
    ...createNetworksUi(parts),
    ...createInterfacesUi(parts),
    ...createTokensUi(parts),
    ...createSitesUi(parts),
    ...createSessionsUi(parts),
    ...transactions,
    sendOwn: behindPassword(transactions.sendOwn),
    speedUp: behindPassword(transactions.speedUp),
    cancelTransaction: behindPassword(transactions.cancelTransaction),
    removeDelegation: behindPassword(transactions.removeDelegation),
    revokeAllowance: behindPassword(allowances.revokeAllowance),
    getState: () => readUiState(parts),
    getVersion: async () => parts.version,
    getDraft: async ({ form }) => {
      await vault.read()
      return drafts.get(form)
    },
    keepDraft: async ({ form, draft }) => {
      await drafts.keep(form, draft)
      return null
    },
    cancelTask: async () => {
      tasks.cancel()
      return null
    },
    selectNetwork: async ({ chainId }) => {
      if ((await networks.selected()).chainId === chainId) return null
      await networks.select(chainId)
      announce({ event: 'chainChanged', except: await networks.sitesApart(), data: fromQuantity(chainId) })
      await publish()
      return null
    },
    getBalance: async ({ address, chainId }) => {
      const account = toAddress(address)
      const wei = fromQuantity(
        await askQuantity(chain, await networks.get(chainId), 'eth_getBalance', [account, 'latest']),
      )
      await kept.note({ chainId, account }, { wei, at: now() }).catch(report)
      return wei
    },
    getKept: ({ address, chainId }) => kept.of({ chainId, account: toAddress(address) }),
    decide: async ({ id, accounts = [], ...decision }) => {
      await acted()
      if (!decision.approve) {
        await reject(id)
        return null
      }
      if ((await vault.phase()) !== 'unlocked') throw rpcError('unauthorized', 'The wallet is locked')
      await assertApprovable(id, decision.password)
      const approval = { approve: true, accounts: accounts.map(account => toAddress(account)) }
      await note(id, true)
      return approvals.approve(id, approval, decision.revision)
    },
    setAllowance: async ({ id, amount }) => {
      await requests.revise(id, request => ({ ...request, ...withAllowance(request, amount) }))
      await publish()
      return null
    },
    rejectAll: async () => {
      await acted()
      const waiting = await requests.open()
      // One action of the user, however many requests it rejects.
      for (const origin of new Set(waiting.map(request => request.origin))) {
        const methods = waiting.filter(request => request.origin === origin).map(({ method }) => method)
        await rejections.note(origin, methods)
      }
      await Promise.all(waiting.map(({ key }) => approvals.decide(key, REJECTED)))
      if (await sessions.read()) await sessions.change(state => rejectProposals(state, now()))
      return null
    },
    showRequests: async () => {
      await open()
      return null
    },
  }
}
