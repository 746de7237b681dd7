/** Which files of e2e tests run in which browser. docs/browsers.md says why a file runs in one of them only. */

/** In Firefox and in Chromium. */
export const IN_BOTH = [
  'collectibles',
  'first-day',
  'flows-chain',
  'flows-sessions',
  'flows-settings',
  'flows-sites',
  'foundation',
  'hostile',
  'keyboard',
  'keyring',
  'kill',
  'names',
  'networks',
  'other-wallets',
  'overview',
  'primordials',
  'provider',
  'requests',
  'sessions',
  'sessions-away',
  'site-in-front',
  'update',
] as const

/** In Firefox alone. All other files run in Chromium. */
export const IN_FIREFOX_ALONE = ['firefox'] as const
