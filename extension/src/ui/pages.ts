/** The wallet's other pages, opened from its popup. */

/** Opens a page of the wallet in a tab and leaves the popup. */
export const openPage = (
  page: 'onboarding.html#create' | 'onboarding.html#import' | `settings.html${'' | `#${string}`}`,
): void => {
  window.open(`/${page}`)
  window.close()
}

/** Goes from the set-up to the wallet, in the same tab. */
export const goToWallet = (): void => location.assign('/popup.html')

/** Goes to the set-up, in the same tab. */
export const goToSetUp = (): void => location.assign('/onboarding.html')
