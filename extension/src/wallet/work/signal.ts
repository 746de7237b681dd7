/** Values that tell observers when they change, so that no writer has to know who depends on it. */

export type Observable<T = void> = {
  /** Calls the listener after each change. */
  observe(listener: (value: T) => void): void
}

/** An observable and the function that calls its listeners. */
export const createSignal = <T = void>(): Observable<T> & { notify(value: T): void } => {
  const listeners: ((value: T) => void)[] = []
  return {
    observe: listener => void listeners.push(listener),
    notify: value => {
      for (const listener of listeners) listener(value)
    },
  }
}
