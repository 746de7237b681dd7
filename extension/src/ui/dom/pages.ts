/** Opens the wallet's pages. */

/** Opens a page of the wallet in a tab and closes the popup. */
export const openPage = (
  page: 'onboarding.html#create' | 'onboarding.html#import' | `settings.html${'' | `#${string}`}`,
): void => {
  window.open(`/${page}`)
  window.close()
}

/** Goes from onboarding to the wallet, in the same tab. */
export const goToWallet = (): void => location.assign('/popup.html')

/** Goes to onboarding, in the same tab. */
export const goToSetUp = (): void => location.assign('/onboarding.html')
