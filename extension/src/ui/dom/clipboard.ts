/** Copies secrets and clears them from the clipboard. */

/** Time until a copied secret is cleared, in ms. */
const SECRET_STAYS = 60_000

export const copy = (text: string): Promise<void> => navigator.clipboard.writeText(text)

/** Clears the clipboard. If the browser refuses that without focus, clears it when the page is next focused. */
export const clearClipboard = (): void => {
  copy('').catch(() => window.addEventListener('focus', () => void copy('').catch(() => {}), { once: true }))
}

/** Copies a secret and clears the clipboard a minute later. */
export const copySecret = async (secret: string): Promise<void> => {
  await copy(secret)
  setTimeout(clearClipboard, SECRET_STAYS)
}
