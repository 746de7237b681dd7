/** Bounds that no test reaches by accident. */
export const wide = {
  storeMessages: 1_000_000,
  storeBytes: 1_000_000_000,
  subscriptions: 1_000_000,
  subscriptionDays: 60,
  unusedHours: 24,
}
