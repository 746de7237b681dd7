/** UI methods for the user's decisions about requests. */
import { toAddress } from '@heliograph/shared/evm/address'
import { withAllowance } from '../review/allowance.ts'
import { rejectProposals } from '../session/pairing.ts'
import { failureView, rpcError } from '../text/errors.ts'
import type { Ui, UiParts } from './parts.ts'

export type RequestsUi = Pick<Ui, 'decide' | 'setAllowance' | 'rejectAll' | 'showRequests'>

export type RequestsUiParts = Pick<
  UiParts,
  'vault' | 'requests' | 'desk' | 'rejections' | 'sessions' | 'safety' | 'showWindow' | 'acted' | 'now'
>

export const createRequestsUi = (parts: RequestsUiParts): RequestsUi => {
  const { vault, requests, desk, rejections, sessions, safety, showWindow, acted, now } = parts

  /**
   * Records a rejection, which can mute the site. An approval clears the site's earlier rejections. Does nothing for a
   * request that is already decided, so that it counts once.
   */
  const note = async (key: string, approved: boolean) => {
    const request = (await requests.open()).find(request => request.key === key)
    if (!request) return
    if (approved) await rejections.forget(request.origin)
    else await rejections.note(request.origin, [request])
  }
  const reject = async (key: string) => {
    await note(key, false)
    await desk.end(key)
  }

  /** Throws if the request has expired or is blocked. For transactions, also checks the password. */
  const assertApprovable = async (key: string, password: string | undefined) => {
    const request = (await requests.open()).find(request => request.key === key)
    if (request?.expiresAt !== undefined && request.expiresAt <= now())
      throw rpcError('invalidParams', 'requestExpired')
    const blocked = request?.findings.find(({ level }) => level === 'blocked')
    if (blocked) throw rpcError('invalidParams', 'blocked')
    // Only transactions have a fee, and only transactions need the password.
    if (request && 'fee' in request.effect) await safety.assertPassword(password)
  }

  return {
    decide: async ({ id, accounts = [], ...decision }) => {
      await acted()
      if (!decision.approve) {
        await reject(id)
        return null
      }
      if ((await vault.phase()) !== 'unlocked') throw rpcError('unauthorized', 'locked')
      await assertApprovable(id, decision.password)
      await note(id, true)
      const approved = accounts.map(account => toAddress(account))
      const failure = await desk.approve(id, approved, decision.revision)
      return failure && failureView(failure)
    },
    setAllowance: async ({ id, amount }) => {
      await requests.revise(id, request => ({ ...request, ...withAllowance(request, amount) }))
      return null
    },
    rejectAll: async place => {
      await acted()
      const waiting = (await requests.open()).filter(({ panel }) => panel === place?.panel)
      // Counts as a single user action for each site, however many requests are rejected.
      for (const origin of new Set(waiting.map(request => request.origin))) {
        const ofSite = waiting.filter(request => request.origin === origin)
        await rejections.note(origin, ofSite)
      }
      await Promise.all(waiting.map(({ key }) => desk.end(key)))
      if (place === null && (await sessions.read())) await sessions.change(state => rejectProposals(state, now()))
      return null
    },
    showRequests: async () => {
      await showWindow()
      return null
    },
  }
}
