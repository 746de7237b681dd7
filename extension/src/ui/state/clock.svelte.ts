/** The current time, for countdowns. */

/** Update interval, in ms. */
const SECOND = 1_000

/** Starts the clock, which stops when the component is destroyed. Call it during component initialization. */
export const startClock = (): { readonly now: number } => {
  let now = $state(Date.now())
  $effect(() => {
    const timer = setInterval(() => (now = Date.now()), SECOND)
    return () => clearInterval(timer)
  })
  return {
    get now() {
      return now
    },
  }
}
