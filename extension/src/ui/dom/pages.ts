/** Opens the wallet's pages. */

/** The page that stays open when the user goes elsewhere: the panel, and the wallet in a tab. */
const STAYING = '/panel.html'

/** Closes the popup. */
export const closePopup = (): void => {
  if (location.pathname !== STAYING) window.close()
}

/** Opens a page of the wallet in a tab and closes the popup. */
export const openPage = (
  page:
    | 'onboarding.html#create'
    | 'onboarding.html#import'
    | 'panel.html'
    | 'popup.html#passkey'
    | `settings.html${'' | `#${string}`}`,
): void => {
  window.open(`/${page}`)
  closePopup()
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
export const goToWallet = (): void => location.assign(STAYING)

/** Goes to onboarding, in the same tab. */
export const goToSetUp = (): void => location.assign('/onboarding.html')
