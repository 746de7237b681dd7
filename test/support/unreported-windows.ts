/**
 * Makes up for windows of the extension that Firefox does not report: those whose first document takes more than 100 ms, and
 * those that are in the extension's process from the start (bug 1755014). Firefox then leaves out their realms, too.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Event, isNoSuchFrame, type Send } from './bidi-messages.ts'

/** Milliseconds between two looks at all windows. A window is missing if it was unreported in two of them. */
const LOOK_INTERVAL = 1_000
/** Milliseconds between two looks at the realms of a window. */
const REALMS_INTERVAL = 100

/** The parts of `browsingContext.getTree` and `script.getRealms` that are used. */
type Window = { context: string; url: string }
type Realm = { realm: string }

const eventOf = (method: string, params: Record<string, unknown>): Event => ({ type: 'event', method, params })

export type WindowWatch = {
  /** Firefox has reported this context. */
  reported(context: string): void
  /** Whether the events of this context are made here, so that Firefox's own must not be passed on. */
  isMadeUp(context: unknown): boolean
  stop(): void
}

/** Looks for unreported windows until it is stopped, and emits the events that are missing. */
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
      // Firefox refuses it before the session begins.
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
