/** The time, for what counts down while it is looked at. */

/** How often it is looked at, in ms. */
const SECOND = 1_000

/** Must be called while a component is set up: the clock stops with it. */
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
