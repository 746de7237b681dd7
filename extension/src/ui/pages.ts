/** The wallet's other pages, opened from its popup. */

const APPROVAL_SIZE = { width: 400, height: 640 }

/** Opens a page of the wallet in a tab and leaves the popup. */
export const openPage = (page: 'onboarding.html#create' | 'onboarding.html#import'): void => {
  window.open(`/${page}`)
  window.close()
}

/** Opens the window in which requests are decided. */
export const openApproval = (): void => {
  const { width, height } = APPROVAL_SIZE
  window.open('/approval.html', 'approval', `popup,width=${width},height=${height}`)
  window.close()
}

/** Goes from the set-up to the wallet, in the same tab. */
export const goToWallet = (): void => location.assign('/popup.html')
