/** Runs the wallet in Node without a browser, connected to a relay. It can be stopped and restarted. */

import { vi } from 'vitest'
import { WebSocket } from 'ws'
import type { SessionView, UiState } from '../../extension/src/messages.ts'
import type { Chain } from '../../extension/src/wallet/networks/node.ts'
import type { Ui } from '../../extension/src/wallet/pages/parts.ts'
import type { Sockets } from '../../extension/src/wallet/session/relay-client.ts'
import { memoryStore, type Store, type Stores } from '../../extension/src/wallet/storage/store.ts'
import { PASSWORD, PHRASE, startWallet } from '../../extension/src/wallet/wallet.fixture.ts'

/** Opens sockets of the package `ws`. A stopped wallet receives no more events. */
const createSockets = () => {
  const open = new Set<WebSocket>()
  let isDropped = false
  const sockets: Sockets = {
    open: (_name, url, listener) => {
      if (isDropped) return { send: () => undefined, close: () => undefined }
      const socket = new WebSocket(url)
      open.add(socket)
      const unlessDropped = (act: () => void) => !isDropped && act()
      socket.on('open', () => unlessDropped(listener.opened))
      socket.on('message', data => unlessDropped(() => listener.received(`${data}`)))
      socket.on('error', () => undefined)
      socket.on('close', (code, reason) => {
        open.delete(socket)
        unlessDropped(() => listener.closed(code, `${reason}`))
      })
      return { send: text => socket.readyState === WebSocket.OPEN && socket.send(text), close: () => socket.close() }
    },
    closeAll: () => {
      for (const socket of open) socket.close()
    },
  }
  const drop = () => {
    isDropped = true
    for (const socket of open) socket.terminate()
  }
  return { sockets, drop, count: () => open.size }
}

/** Wraps stores so that they never respond to a stopped wallet. */
const createGate = () => {
  let isDropped = false
  const gated = (store: Store): Store => {
    const unlessDropped = <T>(task: Promise<T>): Promise<T> => {
      const never = new Promise<T>(() => undefined)
      return isDropped ? never : task.then(value => (isDropped ? never : value))
    }
    return {
      get: name => unlessDropped(store.get(name)),
      set: (name, value) => (isDropped ? new Promise(() => undefined) : unlessDropped(store.set(name, value))),
      remove: name => unlessDropped(store.remove(name)),
    }
  }
  const drop = () => {
    isDropped = true
  }
  return { gated, drop }
}

export type HeadlessOptions = { relays: readonly string[]; chain?: Chain; stores?: Stores; networks?: Networks }
type Networks = NonNullable<Parameters<typeof startWallet>[0]>['networks']

export type HeadlessWallet = {
  ui: Ui
  state(): Promise<UiState>
  /** Resolves with the first truthy result of `look`, which is called with the current state until then. */
  until<T>(look: (state: UiState) => T | undefined | false | null): Promise<T>
  /**
   * Stops the wallet at once, like a stopped worker, and starts it again. `browser` closes the browser too, which locks
   * the wallet.
   */
  restart(what?: 'worker' | 'browser'): Promise<void>
  /** Stops the wallet for good. */
  drop(): void
  sockets(): number
  stores: Stores
}

/** Opens a wallet that is set up and unlocked. It decides no request by itself and uses the real clock. */
export const openHeadless = async (options: HeadlessOptions): Promise<HeadlessWallet> => {
  const stores = options.stores ?? { local: memoryStore(), session: memoryStore() }
  const start = () => {
    const { sockets, drop, count } = createSockets()
    const gate = createGate()
    const { wallet } = startWallet({
      store: { local: gate.gated(stores.local), session: gate.gated(stores.session) },
      sockets,
      relays: options.relays,
      now: Date.now,
      person: () => undefined,
      ...(options.chain && { chain: options.chain }),
      ...(options.networks && { networks: options.networks }),
    })
    const dropAll = () => {
      gate.drop()
      drop()
    }
    return { wallet, drop: dropAll, count }
  }
  let running = start()
  const state = () => running.wallet.ui.getState(null)
  if ((await state()).phase === 'empty') await running.wallet.ui.createVault({ password: PASSWORD, phrase: PHRASE })

  return {
    stores,
    ui: new Proxy({} as Ui, { get: (_, name) => Reflect.get(running.wallet.ui, name) }),
    state,
    until: look =>
      vi.waitFor(
        async () => {
          const found = look(await state())
          if (found === undefined || found === null || found === false)
            throw new Error('the wallet did not reach the expected state')
          return found
        },
        { timeout: 60_000, interval: 25 },
      ),
    restart: async (what = 'worker') => {
      running.drop()
      if (what === 'browser') {
        for (const name of ['vault-key', 'requests', 'lock-at', 'rejections']) await stores.session.remove(name)
      }
      running = start()
      await running.wallet.resume()
      if (what === 'browser') await running.wallet.ui.unlock({ password: PASSWORD })
    },
    drop: () => running.drop(),
    sockets: () => running.count(),
  }
}

/** Pairs with a link and approves its proposal. `choice` can name other accounts than the first. */
export const approveLink = async (
  wallet: HeadlessWallet,
  uri: string,
  choice: Partial<Parameters<Ui['approveProposal']>[0]> = {},
): Promise<SessionView> => {
  const { id: pairing } = await wallet.ui.pair({ uri })
  const { id } = await wallet.until(({ remote }) => remote.proposals.find(proposal => proposal.pairing === pairing))
  const [account] = (await wallet.state()).accounts
  const { id: topic } = await wallet.ui.approveProposal({ id, accounts: [account?.address ?? ''], ...choice })
  return wallet.until(({ remote }) => remote.sessions.find(session => session.id === topic && session.isAcknowledged))
}

type RequestShown = UiState['requests'][number]

/** True while the wallet accepts no approval, for example because the node has not answered yet. */
const isBlocked = ({ findings }: RequestShown): boolean => findings.some(({ level }) => level === 'blocked')

/** Decides the open request, or waits for the next one. Approves only once no finding blocks the approval. */
export const decideNext = async (wallet: HeadlessWallet, approve: boolean): Promise<RequestShown> => {
  const request = await wallet.until(({ requests: [first] }) => first && !(approve && isBlocked(first)) && first)
  await wallet.ui.decide({ id: request.id, approve, revision: request.revision })
  return request
}
