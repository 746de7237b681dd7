/**
 * Reports windows of the extension that Firefox leaves out: windows whose first document takes more than 100 ms, and
 * windows that are in the extension's process from the start (bug 1755014). Firefox also leaves out their realms.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Event, isNoSuchFrame, type Send } from './bidi-messages.ts'

/**
 * Milliseconds between two reads of all windows. A window counts as missing after two reads without a report from
 * Firefox.
 */
const LOOK_INTERVAL = 1_000
/** Milliseconds between two reads of a window's realms. */
const REALMS_INTERVAL = 100

/** The fields of `browsingContext.getTree` and `script.getRealms` that are used here. */
type Window = { context: string; url: string }
type Realm = { realm: string }

const eventOf = (method: string, params: Record<string, unknown>): Event => ({ type: 'event', method, params })

export type WindowWatch = {
  /** Records that Firefox reported this context. */
  reported(context: string): void
  /** True if this module emits the context's events, so Firefox's own events must not be forwarded. */
  isMadeUp(context: unknown): boolean
  stop(): void
}

/** Polls for unreported windows until it is stopped, and emits the missing events. */
export const watchWindows = (send: Send, emit: (event: Event) => void): WindowWatch => {
  const reported = new Set<string>()
  const madeUp = new Set<unknown>()
  let suspects = new Set<string>()
  let isStopped = false

  const followRealms = async (context: string): Promise<void> => {
    let known: ReadonlySet<string> = new Set()
    while (!isStopped) {
      try {
        const { realms } = (await send('script.getRealms', { context })) as { realms: Realm[] }
        const present = new Set(realms.map(({ realm }) => realm))
        for (const realm of known) if (!present.has(realm)) emit(eventOf('script.realmDestroyed', { realm }))
        for (const info of realms) if (!known.has(info.realm)) emit(eventOf('script.realmCreated', info))
        known = present
      } catch (error) {
        if (isNoSuchFrame(error)) return
      }
      await pause(REALMS_INTERVAL)
    }
  }

  const report = (window: Window): void => {
    const { context, url } = window
    madeUp.add(context)
    emit(eventOf('browsingContext.contextCreated', { ...window, children: null, parent: null }))
    const page = { context, url, navigation: null, timestamp: Date.now() }
    emit(eventOf('browsingContext.navigationCommitted', page))
    void followRealms(context)
  }

  const look = async (): Promise<void> => {
    const { contexts } = (await send('browsingContext.getTree', { maxDepth: 0 })) as { contexts: Window[] }
    const missing = contexts.filter(
      ({ context, url }) => url.startsWith('moz-extension:') && !reported.has(context) && !madeUp.has(context),
    )
    for (const window of missing) if (suspects.has(window.context)) report(window)
    suspects = new Set(missing.map(({ context }) => context))
  }

  const lookAgain = async (): Promise<void> => {
    while (!isStopped) {
      // Firefox refuses the command before the session begins, so the failure is ignored.
      await look().catch(() => undefined)
      await pause(LOOK_INTERVAL)
    }
  }
  void lookAgain()

  return {
    reported: context => reported.add(context),
    isMadeUp: context => madeUp.has(context),
    stop: () => {
      isStopped = true
    },
  }
}
