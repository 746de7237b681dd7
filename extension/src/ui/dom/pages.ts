/** Opens the wallet's pages. */

/** Opens a page of the wallet in a tab and closes the popup. */
export const openPage = (
  page:
    | 'onboarding.html#create'
    | 'onboarding.html#import'
    | 'popup.html#passkey'
    | `settings.html${'' | `#${string}`}`,
): void => {
  window.open(`/${page}`)
  window.close()
}

/** True in the toolbar's popup, which closes when it loses the focus. */
export const isPopup = (): boolean => location.pathname === '/popup.html' && location.hash === ''

/**
 * True, once, in the tab that the popup opens to ask for a passkey. A tab that stays open does not ask again when the
 * wallet locks.
 */
export const isPasskeyTab = (): boolean => {
  if (location.hash !== '#passkey') return false
  history.replaceState(null, '', '#tab')
  return true
}

/** Goes from onboarding to the wallet, in the same tab. */
export const goToWallet = (): void => location.assign('/popup.html')

/** Goes to onboarding, in the same tab. */
export const goToSetUp = (): void => location.assign('/onboarding.html')
