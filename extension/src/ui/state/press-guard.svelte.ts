/** Watches the page for presses and changes, so that an accidental or hijacked press does not decide anything. */
import { createQuiet } from '../model/quiet.ts'
import { useBeside } from './panel-window.ts'

/** Attribute of an element that decides: a button, or the label of a checkbox. */
export const DECIDES = 'data-decides'

export type PressGuard = {
  /** True if a press would count now. */
  readonly isReady: boolean
  /** The number of times the wait has restarted. */
  readonly renewals: number
  /** Length of the wait, in ms. */
  readonly length: number
  /** Restarts the wait. Call it when the page shows something else. */
  renew(): void
  /** True if this click on a deciding element counts. Call it once per click. */
  takes(event: MouseEvent): boolean
}

/** Interval at which the window's position is polled, in ms: browsers have no event for a moved window. */
const PLACE_CHECK = 100

const controlOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest(`[${DECIDES}]`) : null

/**
 * Guards the page until the component is destroyed. `length` is as in `createQuiet`. Call it during component
 * initialization.
 */
export const guardPresses = (length: number): PressGuard => {
  const quiet = createQuiet(length, performance.now())
  const isBeside = useBeside() !== undefined
  /** Since when the pointer has been over the page. */
  let pointedAt = Number.POSITIVE_INFINITY
  let isReady = $state(false)
  let renewals = $state(0)
  let count = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const wait = () => {
    isReady = false
    renewals = ++count
    clearTimeout(timer)
    timer = setTimeout(() => {
      isReady = true
    }, length)
  }
  const renewNow = () => {
    quiet.renew(performance.now())
    wait()
  }

  const down = (event: PointerEvent | KeyboardEvent) => {
    if (!event.isTrusted) return
    quiet.down(event.timeStamp, controlOf(event.target), event instanceof KeyboardEvent && event.repeat)
    wait()
  }
  const up = (event: Event) => {
    if (!event.isTrusted) return
    quiet.up(event.timeStamp)
    wait()
  }

  const point = () => {
    if (pointedAt === Number.POSITIVE_INFINITY) pointedAt = performance.now()
  }
  const unpoint = () => {
    pointedAt = Number.POSITIVE_INFINITY
  }
  /**
   * A panel gets the focus only with a press in it. Such a press counts if the pointer has been over the panel for the
   * whole wait, because then nothing has covered it.
   */
  const focus = () => {
    if (!isBeside || performance.now() - pointedAt < length) renewNow()
  }

  $effect(() => {
    const ending = new AbortController()
    const { signal } = ending
    const options = { signal, capture: true, passive: true }
    for (const name of ['pointerdown', 'keydown'] as const) window.addEventListener(name, down, options)
    for (const name of ['pointerup', 'pointercancel', 'keyup'] as const) window.addEventListener(name, up, options)
    for (const name of ['blur', 'resize'] as const) window.addEventListener(name, renewNow, { signal })
    window.addEventListener('focus', focus, { signal })
    window.addEventListener('pointermove', point, options)
    document.documentElement.addEventListener('pointerleave', unpoint, { signal })
    document.addEventListener('visibilitychange', renewNow, { signal })
    let place = `${screenX} ${screenY}`
    const placeTimer = setInterval(() => {
      const now = `${screenX} ${screenY}`
      if (now !== place) renewNow()
      place = now
    }, PLACE_CHECK)
    return () => {
      ending.abort()
      clearInterval(placeTimer)
      clearTimeout(timer)
    }
  })

  wait()
  return {
    get isReady() {
      return isReady
    },
    get renewals() {
      return renewals
    },
    length,
    renew: () => {
      renewNow()
      // Restart once the change is painted. A hidden window paints nothing; becoming visible restarts the wait anyway.
      requestAnimationFrame(() => setTimeout(renewNow))
    },
    takes: event => {
      const control = controlOf(event.currentTarget)
      return event.isTrusted && control !== null && quiet.click(event.timeStamp, control)
    },
  }
}
