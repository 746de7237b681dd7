/**
 * Distinguishes a deliberate press from an accidental or hijacked one. A press counts if nothing was pressed, shown,
 * moved or focused for a while before it, and if it is released on the control where it began. Any other press restarts
 * the wait.
 */

/** Quiet time before a decision in a window that a site caused to open, in ms. */
export const WINDOW_QUIET = 1_000
/** Quiet time before a decision in a wallet page that the user opened, in ms. */
export const PAGE_QUIET = 500
/** Time between ticking the checkbox of a danger and the earliest press that counts, in ms. */
export const CONFIRM_DELAY = 1_000

/** Decides which presses count. All times are in ms, on the clock of `Event.timeStamp`. */
export type Quiet = {
  /** Restarts the wait. A press in progress no longer counts. */
  renew(at: number): void
  /** A pointer button or a key went down on a deciding control, or elsewhere (null). An auto-repeated key never counts. */
  down(at: number, control: object | null, isRepeat?: boolean): void
  /** A pointer button or a key was released. */
  up(at: number): void
  /** True if a click on the control counts. Assistive technology clicks without a press; that needs the same quiet time. */
  click(at: number, control: object): boolean
}

/** Creates the state. `length` is the quiet time in ms. The wait begins at `start`. */
export const createQuiet = (length: number, start: number): Quiet => {
  let since = start
  /** The control of the current press, if that press counts. */
  let pressed: object | null = null

  /** Restarts the wait. Events can be delivered late, with an older time than the last one. */
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
