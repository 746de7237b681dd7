/** Limits for tests that are not about limits. */
export const wide = {
  storeMessages: 1_000_000,
  storeBytes: 1_000_000_000,
  subscriptions: 1_000_000,
  subscriptionDays: 60,
  unusedHours: 24,
}
