/**
 * Keeps code in the worker from answering requests for wallet pages. A `fetch` listener could serve another page
 * with the wallet's rights. The wallet itself has no such listener.
 */
export const refuseInterception = (): void => {
  if (!('onfetch' in globalThis)) return
  Object.defineProperty(globalThis, 'onfetch', { value: null, writable: false, configurable: false })
  const { addEventListener } = EventTarget.prototype
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    const name = `${type}`
    if (name === 'fetch') throw new TypeError('The worker does not answer requests')
    Reflect.apply(addEventListener, this, [name, ...rest])
  }
}
