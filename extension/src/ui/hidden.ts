/** Secrets are shown to whoever sits in front of the page, and to nobody once it is out of sight. */

/** Acts whenever another tab comes to the front or the window is minimised. Returns what ends that. */
export const whenHidden = (act: () => void): (() => void) => {
  const look = () => {
    if (document.hidden) act()
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}
