/** Knows whether a person has just pressed something in this page. A script can't make a trusted event. */

/** How long a press counts, in ms. A call follows the press that caused it at once. */
const PRESS_LIFE = 1_000

let pressedAt = Number.NEGATIVE_INFINITY

/** Listens before any package does, so that no other listener can stop the event. */
export const watchPresses = (): void => {
  if (typeof document === 'undefined') return
  const notice = (event: Event) => {
    if (event.isTrusted) pressedAt = performance.now()
  }
  addEventListener('click', notice, { capture: true })
}

export const wasPressed = (): boolean => performance.now() - pressedAt < PRESS_LIFE
