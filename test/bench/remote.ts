/**
 * Measures the time from a call in an app until its approval window can be read and rejected, with real clients over a
 * relay on this machine. Times are in ms.
 */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { type Dapp, EVENTS } from '../compat/client-interfaces.ts'
import { openPeer, type Peer } from '../compat/peer.ts'
import { openRelay } from '../compat/relay.ts'
import { welcomePage } from '../e2e/opened-pages.ts'
import { ADDRESS, PASSWORD, PHRASE } from '../e2e/person.ts'
import { callWallet } from '../e2e/wallet-page.ts'
import type { BrowserOptions, DrivenBrowser } from '../support/browser.ts'
import { removeProfile } from '../support/profile.ts'
import { knowNames } from './known-names.ts'
import { REMOTE_CLIENTS } from './remote-clients.ts'
import { median } from './round-trips.ts'

export type RemoteOptions = {
  drive(options: BrowserOptions): Promise<DrivenBrowser>
  /** Folder of the extension for this browser. */
  extension: string
  times: number
  /** True to stop the background before each request. Firefox does not stop it while there are sessions. */
  isAsleep: boolean
}

const CHAIN = 'eip155:1'
const ASKED = { optional: { eip155: { chains: [CHAIN], methods: ['personal_sign'], events: EVENTS } } }
const INTERVAL = 20

/** Polls until `look` finds something, and resolves with it. */
const until = async <T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> => {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await pause(INTERVAL)
  }
}

const stateOf = async (home: Page) => (await callWallet(home, 'getState', null)).result

const pair = async (home: Page, dapp: Peer<Dapp>): Promise<string> => {
  const { result } = await callWallet(home, 'pair', { uri: await dapp.acts.connect(ASKED) })
  const proposal = await until(async () =>
    (await stateOf(home)).remote.proposals.find(({ pairing }) => pairing === result.id),
  )
  await callWallet(home, 'approveProposal', { id: proposal.id, accounts: [ADDRESS] })
  return (await dapp.next('session')).topic
}

/** Approves the open request, which closes the window. Rejecting requests would mute the app. */
const approve = async (home: Page, window: Page) => {
  const gone = window.waitForEvent('close')
  const [request] = (await stateOf(home)).requests
  if (!request) throw new Error('no request is pending')
  await callWallet(home, 'decide', { id: request.id, revision: request.revision, approve: true })
  await gone
}

/** Returns the median time by client. */
export const measureRemote = async (options: RemoteOptions): Promise<Map<string, number>> => {
  const { drive, extension, times, isAsleep } = options
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-remote-'))
  const relay = await openRelay(join(folder, 'relay'))
  const browser = await drive({ extension, profile: join(folder, 'profile'), headless: true })
  const { context, base } = browser
  const isWindow = (page: Page) => page.url().startsWith(`${base}/approval.html`)
  try {
    // An open page of the wallet would start its stopped background again.
    await (await welcomePage(context)).close()
    await knowNames(context)
    const home = await context.newPage()
    await home.goto(`${base}/onboarding.html`)
    await callWallet(home, 'createVault', { password: PASSWORD, phrase: PHRASE })
    const url = `ws://127.0.0.1:${relay.port}`
    await callWallet(home, 'addRelay', { url })
    await callWallet(home, 'setDefaultRelay', { url })

    const measure = async (kind: (typeof REMOTE_CLIENTS)[number]): Promise<number> => {
      const dapp = await openPeer(kind, { port: relay.port, folder: join(folder, kind), env: { IS_VITEST: 'true' } })
      const taken: number[] = []
      try {
        const topic = await pair(home, dapp)
        await until(() => (context.pages().some(isWindow) ? undefined : true))
        for (let at = 0; at < times; at++) {
          if (isAsleep) await browser.stopBackground()
          const began = Date.now()
          const answer = dapp.acts.attempt({
            topic,
            chainId: CHAIN,
            method: 'personal_sign',
            params: ['0x00', ADDRESS],
          })
          const window = await until(() => context.pages().find(isWindow))
          await window.getByRole('button', { name: 'Reject', exact: true }).waitFor()
          taken.push(Date.now() - began)
          await approve(home, window)
          await answer
        }
        await callWallet(home, 'disconnectSession', { id: topic })
      } finally {
        await dapp.dispose()
      }
      return median(taken)
    }

    const medians = new Map<string, number>()
    for (const kind of REMOTE_CLIENTS) medians.set(kind, await measure(kind))
    return medians
  } finally {
    await browser.close()
    await relay.stop()
    await removeProfile(folder)
  }
}
