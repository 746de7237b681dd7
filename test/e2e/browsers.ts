/** Which files of e2e tests run in which browser, and why some run in one of them only. */

/** In Firefox and in Chromium. */
export const IN_BOTH = [
  'demo-site',
  'first-day',
  'flows-accounts',
  'flows-chain',
  'flows-sessions',
  'flows-settings',
  'flows-sites',
  'foundation',
  'hostile',
  'keyboard',
  'keyring',
  'kill',
  'networks',
  'other-wallets',
  'oversized',
  'primordials',
  'provider',
  'requests',
  'sessions',
  'sessions-away',
  'sessions-interrupted',
  'sessions-steps',
  'site-in-front',
  'update',
] as const

type Browser = 'Chromium' | 'Firefox'

/**
 * Files that run in one browser only, with the reason: the other one lacks what the test needs, or would show nothing new,
 * because the same code runs there and other files test what the browser adds. A file that is in no list runs in Chromium.
 */
export const IN_ONE: Readonly<Record<string, readonly [browser: Browser, reason: string]>> = {
  attention: ['Chromium', 'Thousands of generated presses. `keyboard` and `requests` press the same buttons in both.'],
  budgets: ['Chromium', 'Limits of time and memory, measured over the DevTools protocol.'],
  'compromised-renderer': [
    'Chromium',
    '`firefox` has these attacks for Firefox, which lets content scripts use the storage.',
  ],
  egress: ['Chromium', "Only Chromium's own requests can be told apart from those of the wallet."],
  collectibles: ['Chromium', 'Nothing in it is a matter of the browser.'],
  'extension-removed': [
    'Chromium',
    'Firefox ends the content script with the extension, so nothing is left to tell the page.',
  ],
  firefox: ['Firefox', 'Attacks on the storage that Firefox lets content scripts use.'],
  floods: ['Chromium', 'Floods of requests and frames. `hostile` has all other attacks of pages, in both.'],
  libraries: ['Chromium', 'Libraries in the page. `provider` has what they see, in both.'],
  'metamask-signatures': ['Chromium', 'A site in the page, like `libraries`.'],
  'metamask-transactions': ['Chromium', 'Like `metamask-signatures`.'],
  names: ['Chromium', 'Like `collectibles`.'],
  overview: ['Chromium', 'Like `collectibles`.'],
  planted: ['Chromium', 'Hostile packages in the bundle, which is the same in Firefox.'],
  secrets: ['Chromium', 'Searches a heap snapshot, which the DevTools protocol gives.'],
  status: ['Chromium', 'The status pages of the servers, without the extension.'],
  v1: ['Chromium', 'The demo site with the bridge, without the extension.'],
}

/** In Firefox alone. */
export const IN_FIREFOX_ALONE = Object.keys(IN_ONE).filter(name => IN_ONE[name]?.[0] === 'Firefox')
