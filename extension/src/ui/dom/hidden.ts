/** Detects when the page becomes invisible, so that it can hide its secrets again. */

/**
 * Calls `act` whenever another tab comes to the front or the window is minimised. Returns a function that stops
 * watching.
 */
export const whenHidden = (act: () => void): (() => void) => {
  const look = () => {
    if (document.hidden) act()
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}
