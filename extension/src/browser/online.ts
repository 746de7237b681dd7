/** Calls the listener when the computer is online again. */
export const onOnline = (listener: () => void): void => globalThis.addEventListener('online', listener)
