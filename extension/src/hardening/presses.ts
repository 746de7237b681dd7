/**
 * Detects recent presses in this page. Only clicks are observed, because a key press on a control also causes a click.
 * Scripts can't create trusted events.
 */

/** Milliseconds for which a press counts. A call follows its press immediately. */
const PRESS_LIFE = 1_000

let pressedAt = Number.NEGATIVE_INFINITY

/** Starts to watch for presses. Adds its listener before any package does, so that no package can stop the event. */
export const watchPresses = (): void => {
  if (typeof document === 'undefined') return
  const notice = (event: Event) => {
    if (event.isTrusted) pressedAt = performance.now()
  }
  addEventListener('click', notice, { capture: true })
}

export const wasPressed = (): boolean => performance.now() - pressedAt < PRESS_LIFE
