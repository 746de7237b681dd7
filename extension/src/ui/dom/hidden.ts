/** Detects that the page is no longer visible, so that secrets on it are hidden again. */

/** Calls `act` whenever another tab comes to the front or the window is minimised. Returns a function that stops it. */
export const whenHidden = (act: () => void): (() => void) => {
  const look = () => {
    if (document.hidden) act()
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}
