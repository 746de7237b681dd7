/**
 * Renders screens of the wallet with a simulated background: the one in `preview.html?screen=<name>&lang=<language>`, or
 * one after another with `replaceScreen`.
 */
import { ValueError } from '@heliograph/shared/evm/value-error'
import './language.ts'
import { type Component, tick, unmount } from 'svelte'
import type {
  ActiveSite,
  BrowserSettings,
  ToUi,
  UiCall,
  UiMethod,
  UiPort,
  UiState,
} from '../../extension/src/messages.ts'
import Approval from '../../extension/src/ui/screens/approval/Approval.svelte'
import Popup from '../../extension/src/ui/screens/home/Popup.svelte'
import Onboarding from '../../extension/src/ui/screens/onboarding/Onboarding.svelte'
import Panel from '../../extension/src/ui/screens/panel/Panel.svelte'
import Settings from '../../extension/src/ui/screens/settings/Settings.svelte'
import { addIcons, mountRoot, prepare } from '../../extension/src/ui/start.ts'
import { browserSettingsContext } from '../../extension/src/ui/state/browser-settings.ts'
import type { Client } from '../../extension/src/ui/state/client.svelte.ts'
import { panelContext } from '../../extension/src/ui/state/panel-window.ts'
import { PANEL, type Page, type Screen } from './fixtures/screen.ts'
import { listed, offered } from './fixtures/state.ts'
import { words } from './fixtures/words.ts'
import { screens } from './fixtures.ts'

/** The interface through which tests control the preview. */
export type Preview = {
  calls: UiCall[]
  /** Number of times that the page connected. */
  connections: number
  push(state: UiState): void
  /** Changes the response to a method. */
  answer(method: UiMethod, result: unknown): void
  disconnect(): void
}

declare global {
  interface Window {
    preview: Preview
    /**
     * Shows another screen in the same document, which is faster than loading it. Resolves once the screen is drawn. It
     * has no icons, only their places, because axe would take as long for the sprite as for a screen.
     */
    replaceScreen(name: string): Promise<void>
    /** Resolves once the last write to the clipboard has ended, and what follows it is drawn. */
    settled(): Promise<void>
  }
}

const roots: Record<Page, Component<{ client: Client }>> = {
  popup: Popup,
  approval: Approval,
  panel: Panel,
  tab: Panel,
  onboarding: Onboarding,
  settings: Settings,
}

const withoutRequest = (current: UiState, id: string): UiState => ({
  ...current,
  requests: current.requests.filter(request => request.id !== id),
  waiting: current.waiting.filter(request => request.id !== id),
})

/** Returns the state after a proposal or pairing link was decided. `id` is the proposal's id or the link's. */
const withoutProposal = (current: UiState, id: string): UiState => ({
  ...current,
  remote: {
    ...current.remote,
    pairings: current.remote.pairings.filter(pairing => pairing.id !== id),
    proposals: current.remote.proposals.filter(proposal => proposal.id !== id && proposal.pairing !== id),
  },
})

/** Returns the state after an account was moved. */
const withMoved = (current: UiState, { address, to }: { address: string; to: number }): UiState => {
  const moved = current.accounts.filter(account => account.address === address)
  const others = current.accounts.filter(account => account.address !== address)
  return { ...current, accounts: others.toSpliced(to, 0, ...moved) }
}

/** Responses for screens whose fixture defines none. */
const usual: Partial<Record<UiMethod, unknown>> = {
  getListedNetworks: listed,
  getPublicNodes: offered,
  usePublicNodes: [],
  getGateways: { ipfs: null, arweave: null },
  getCurrencies: ['USD'],
  getCoinBalances: [],
  getPasskeys: [],
  getAllActivity: { entries: [], total: 0, marked: 0, origins: [], searches: [] },
  getWordList: words,
}

type Simulated = { preview: Preview; connect: () => UiPort; given: ReadonlyMap<symbol, unknown> }

/** Returns a background that shows a fixture, its control, and what the browser gives to the page. */
const simulate = (screen: Screen): Simulated => {
  let state: UiState | null = screen.state
  let send: (message: ToUi) => void = () => {}
  let drop: () => void = () => {}
  /** Responses by method, initially the fixture's. */
  const answers: NonNullable<Screen['answers']> = { ...screen.answers }

  const push = (next: UiState) => {
    state = next
    send({ state: next })
  }

  const preview: Preview = {
    connections: 0,
    calls: [],
    push,
    answer: (method, result) => {
      answers[method] = result
    },
    disconnect: () => {
      send = () => {}
      drop()
    },
  }

  /** Responds to a call with the fixture's response, or the usual one. */
  const answer = async ({ id, method, params }: UiCall) => {
    const prepared = answers[method]
    if (prepared === 'never') return
    if (prepared instanceof ValueError) {
      const { reason, values } = prepared
      send({ id, error: { code: -32000, reason, values } })
      return
    }
    if (prepared === 'lost' && preview.calls.filter(call => call.method === method).length === 1) {
      if (method === 'decide' && state) state = withoutRequest(state, params.id)
      preview.disconnect()
      return
    }
    if (method === 'decide' && state) push(withoutRequest(state, params.id))
    const isOfProposal = method === 'approveProposal' || method === 'rejectProposal' || method === 'forgetPairing'
    if (isOfProposal && state) push(withoutProposal(state, params.id))
    if (method === 'moveAccount' && state && prepared === undefined) push(withMoved(state, params))
    if (method === 'rejectAll' && state) push({ ...state, requests: [], waiting: [] })
    if (method === 'createVault') push(screens.home?.state ?? screen.state)
    send({ id, result: prepared === 'lost' ? null : (prepared ?? usual[method] ?? null) })
  }

  const connect = (): UiPort => ({
    post: message => {
      const call = message as UiCall
      preview.calls.push(call)
      queueMicrotask(() => void answer(call))
    },
    onMessage: listener => {
      send = message => listener(structuredClone(message))
      preview.connections++
      queueMicrotask(() => {
        if (screen.refusal) send({ refusal: screen.refusal })
        else if (state && answers.getState !== 'never') send({ state })
      })
    },
    onDisconnect: listener => {
      drop = listener
    },
  })
  const browserSettings: BrowserSettings = {
    mayNotify: async () => screen.browser?.mayNotify ?? false,
    askToNotify: async () => screen.browser?.mayNotify ?? false,
    shortcuts: async () =>
      screen.browser?.shortcuts ?? [
        { does: 'open', keys: 'Alt+Shift+H' },
        { does: 'panel', keys: 'Alt+Shift+J' },
      ],
    changeShortcuts: async () => {},
  }

  const around = {
    panel: Promise.resolve(screen.page === 'panel' ? PANEL : null),
    watchSite: (listener: (site: ActiveSite | null) => void) => {
      listener((answers.getActiveSite as ActiveSite | undefined) ?? { origin: null })
      return () => {}
    },
  }
  const given = [...panelContext(around), ...browserSettingsContext(browserSettings)]
  return { preview, connect, given: new Map<symbol, unknown>(given) }
}

let shown: ReturnType<typeof mountRoot> = []

const showScreen = (name: string): void => {
  const screen = screens[name]
  if (!screen) throw new Error(`there is no screen "${name}"`)
  const { preview, connect, given } = simulate(screen)
  window.preview = preview
  shown = mountRoot(roots[screen.page], connect, given)
}

/** Removes the shown screen and its traces from the document, and shows another. */
window.replaceScreen = async (name: string): Promise<void> => {
  // A press elsewhere gives up the focus, so that the next screen does not get it.
  document.dispatchEvent(new PointerEvent('pointerdown'))
  await Promise.all(shown.map(component => unmount(component)))
  const [left] = document.body.children
  if (left) throw new Error(`the removed screen left a ${left.localName} element in the page`)
  localStorage.clear()
  delete document.documentElement.dataset.theme
  delete window.drawn
  history.replaceState(null, '', `${location.pathname}${location.search}${screens[name]?.hash ?? ''}`)
  showScreen(name)
  // The simulated background responds in microtasks.
  await new Promise(resolve => setTimeout(resolve))
  await document.fonts.ready
}

let writing = Promise.resolve()
const write = navigator.clipboard.writeText.bind(navigator.clipboard)
Object.defineProperty(navigator.clipboard, 'writeText', {
  value: (text: string) => {
    writing = write(text)
    return writing
  },
})
window.settled = async () => {
  await writing.catch(() => undefined)
  await tick()
}

prepare()
const first = new URLSearchParams(location.search).get('screen')
if (first !== null) {
  void addIcons(document)
  showScreen(first)
}
