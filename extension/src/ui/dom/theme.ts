/** The theme: Day, Night or the system's. It is stored on this device and shared by all pages of the wallet. */

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

/** Applies the chosen theme, and follows changes made in other pages. */
export const showTheme = (): void => {
  draw()
  window.addEventListener('storage', draw)
}

export const chooseTheme = (theme: Theme): void => {
  localStorage.setItem(PLACE, theme)
  draw()
}
