/** Watches the page for presses and changes, so that only a considered press decides. */
import { createQuiet } from './quiet.ts'

/** Marks an element that decides: a button, or the label of a checkbox. */
export const DECIDES = 'data-decides'

export type Attention = {
  /** Whether a press would count now. */
  readonly isReady: boolean
  /** Counts how often the wait was started again. */
  readonly renewals: number
  /** How long the wait takes, in ms. */
  readonly length: number
  /** Starts the wait again, since something else is shown. */
  renew(): void
  /** Whether this click on an element that decides counts. Ask once a click. */
  takes(event: MouseEvent): boolean
}

/** How often the place of the window is looked at, in ms: browsers tell nobody that a window was moved. */
const PLACE_CHECK = 100

const controlOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest(`[${DECIDES}]`) : null

/** `length` as in `createQuiet`. Must be called while a component is set up: it watches as long as the component is there. */
export const watchAttention = (length: number): Attention => {
  const quiet = createQuiet(length, performance.now())
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

  $effect(() => {
    const ending = new AbortController()
    const { signal } = ending
    const options = { signal, capture: true, passive: true }
    for (const name of ['pointerdown', 'keydown'] as const) window.addEventListener(name, down, options)
    for (const name of ['pointerup', 'pointercancel', 'keyup'] as const) window.addEventListener(name, up, options)
    for (const name of ['focus', 'blur', 'resize'] as const) window.addEventListener(name, renewNow, { signal })
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
      // The change counts from when it can be seen. A hidden window draws nothing, and starts the wait when it is shown.
      requestAnimationFrame(() => setTimeout(renewNow))
    },
    takes: event => {
      const control = controlOf(event.currentTarget)
      return event.isTrusted && control !== null && quiet.click(event.timeStamp, control)
    },
  }
}
