/** Lists the browsers in which each e2e test file runs, and why some files run in only one. */

/**
 * Files that run in Firefox and in Chromium. Tests in them that would prove nothing new in Firefox run only in Chromium.
 */
export const IN_BOTH = [
  'first-day',
  'first-minute',
  'flows-settings',
  'hostile',
  'kill',
  'locking',
  'notifications',
  'other-wallets',
  'oversized',
  'panel',
  'passkeys',
  'primordials',
  'provider',
  'requests',
  'sessions-away',
  'site-in-front',
  'update',
] as const

type Browser = 'Chromium' | 'Firefox'

/**
 * Files that run in one browser only, with the reason. Either the other browser lacks what the test needs, or the test
 * would prove nothing new there: the same code runs, and other files test the browser's part. A file in neither list
 * runs in Chromium.
 */
export const IN_ONE: Readonly<Record<string, readonly [browser: Browser, reason: string]>> = {
  attention: ['Chromium', 'Generated streams of presses. `first-day` and `kill` press the same buttons in both.'],
  backup: ['Chromium', 'The pages are the same. `flows-settings` imports a file by mouse in Firefox.'],
  budgets: ['Chromium', 'Limits of time and memory, measured over the DevTools protocol.'],
  'compromised-renderer': [
    'Chromium',
    '`firefox` runs these attacks in Firefox, where content scripts can use the storage.',
  ],
  'demo-site': ['Chromium', 'Methods of a site. `first-day` opens the same site in both.'],
  egress: ['Chromium', "Only in Chromium can the browser's own requests be told apart from the wallet's."],
  'egress-features': ['Chromium', 'Like `egress`.'],
  collectibles: ['Chromium', 'Nothing in it depends on the browser.'],
  'extension-removed': [
    'Chromium',
    'Firefox stops the content script together with the extension, so nothing can notify the page.',
  ],
  firefox: ['Firefox', 'Attacks on the storage that Firefox lets content scripts use.'],
  floods: ['Chromium', 'Floods of requests and frames. `hostile` runs all other attacks by pages in both.'],
  'flows-accounts': [
    'Chromium',
    'The pages are the same. `flows-settings` imports, exports and removes by mouse in Firefox.',
  ],
  'flows-chain': ['Chromium', 'The pages are the same. `kill` sends a transaction by mouse in Firefox.'],
  'flows-sessions': ['Chromium', 'The pages are the same. `sessions-away` pairs and signs in both.'],
  'flows-sites': [
    'Chromium',
    'The pages are the same. `requests` queues requests in both, and `provider` and `site-in-front` change sites in both.',
  ],
  foundation: ['Chromium', '`first-day` connects the same site in both, and `locking` locks and unlocks in both.'],
  keyboard: ['Chromium', 'The pages are the same. `first-day` and `first-minute` use the keyboard in both.'],
  keyring: ['Chromium', 'Cryptography without the API of a browser. `locking` and `first-day` derive keys in both.'],
  libraries: ['Chromium', 'Libraries in the page. `provider` tests in both what they see.'],
  'metamask-signatures': ['Chromium', 'A site in the page, like `libraries`.'],
  'metamask-transactions': ['Chromium', 'Like `metamask-signatures`.'],
  names: ['Chromium', 'Like `collectibles`.'],
  found: ['Chromium', 'Like `collectibles`.'],
  networks: ['Chromium', 'Like `collectibles`.'],
  overview: ['Chromium', 'Like `collectibles`.'],
  planted: ['Chromium', 'Hostile packages in the bundle, which is the same in Firefox.'],
  secrets: ['Chromium', 'Searches a heap snapshot, which needs the DevTools protocol.'],
  sessions: ['Chromium', '`sessions-away` stops the background while no page is open in both.'],
  'sessions-steps': [
    'Chromium',
    'Every step of a session, and links. `sessions-away` restarts network, background and browser in both.',
  ],
  status: ['Chromium', 'The status pages of the servers, without the extension.'],
  values: ['Chromium', 'Like `collectibles`.'],
  tokens: ['Chromium', 'Like `flows-chain`.'],
  v1: ['Chromium', 'The demo site with the bridge, without the extension.'],
}

/** Files that run only in Firefox. */
export const IN_FIREFOX_ALONE = Object.keys(IN_ONE).filter(name => IN_ONE[name]?.[0] === 'Firefox')
