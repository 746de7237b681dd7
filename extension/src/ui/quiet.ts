/**
 * Tells a considered press from a stray one. A press counts when nothing was pressed, shown, moved or focused for a while
 * before it went down, and when it is released on the control that it went down on. Every other press starts the wait again.
 */

/** Quiet before a decision in a window that a page opened, in ms. */
export const WINDOW_QUIET = 1_000
/** Quiet before a decision in a page of the wallet that the person opened, in ms. */
export const PAGE_QUIET = 500

/** All times are in ms on the clock of `Event.timeStamp`. */
export type Quiet = {
  /** Starts the wait again. What is held down no longer counts. */
  renew(at: number): void
  /** A pointer button or a key went down on a control that decides, or elsewhere (null). A repeated key never counts. */
  down(at: number, control: object | null, isRepeat?: boolean): void
  /** A pointer button or a key was released. */
  up(at: number): void
  /** Whether a click on the control counts. Assistive technology clicks without a press: such a click needs the same quiet. */
  click(at: number, control: object): boolean
}

/** `length` is how long the quiet must last, in ms; the wait begins at `start`. */
export const createQuiet = (length: number, start: number): Quiet => {
  let since = start
  /** The control on which a press that counts went down. */
  let pressed: object | null = null

  /** A late event may be older than the last one. */
  const disturb = (at: number) => {
    since = Math.max(since, at)
  }
  const isQuiet = (at: number) => at - since >= length

  return {
    renew: at => {
      disturb(at)
      pressed = null
    },
    down: (at, control, isRepeat = false) => {
      pressed = isQuiet(at) && !isRepeat ? control : null
      disturb(at)
    },
    up: disturb,
    click: (at, control) => {
      const counts = pressed === control || isQuiet(at)
      pressed = null
      disturb(at)
      return counts
    },
  }
}
