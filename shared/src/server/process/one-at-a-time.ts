/** Returns a function that starts the work unless it is still running from an earlier call. */
export const oneAtATime = (work: () => Promise<unknown>, onFault: (err: unknown) => void): (() => void) => {
  let isRunning = false
  return () => {
    if (isRunning) return
    isRunning = true
    work()
      .catch(onFault)
      .finally(() => {
        isRunning = false
      })
  }
}
