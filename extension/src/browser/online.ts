/** Calls when this computer has a network again. */
export const onOnline = (listener: () => void): void => globalThis.addEventListener('online', listener)
