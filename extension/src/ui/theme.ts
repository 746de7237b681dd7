/** Day, Night, or as the system has it: chosen on this device and the same in every page of the wallet. */

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const PLACE = 'theme'

const isTheme = (value: unknown): value is Theme => THEMES.some(theme => theme === value)

export const chosenTheme = (): Theme => {
  const stored = localStorage.getItem(PLACE)
  return isTheme(stored) ? stored : 'system'
}

const draw = () => {
  const theme = chosenTheme()
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Draws the page in the chosen theme, and again when another page chooses another. */
export const showTheme = (): void => {
  draw()
  window.addEventListener('storage', draw)
}

export const chooseTheme = (theme: Theme): void => {
  localStorage.setItem(PLACE, theme)
  draw()
}
