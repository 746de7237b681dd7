/** Copies, and takes secrets off the clipboard again. */

/** How long a copied secret stays, in ms. */
export const SECRET_STAYS = 60_000

export const copy = (text: string): Promise<void> => navigator.clipboard.writeText(text)

/** Empties the clipboard; where the page may not do so now, when it next has the focus. */
export const clearClipboard = (): void => {
  copy('').catch(() => window.addEventListener('focus', () => void copy('').catch(() => {}), { once: true }))
}

/** Copies a secret and empties the clipboard a minute later. */
export const copySecret = async (secret: string): Promise<void> => {
  await copy(secret)
  setTimeout(clearClipboard, SECRET_STAYS)
}
