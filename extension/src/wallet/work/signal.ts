/** Values that tell observers when they change, so that no writer has to know who depends on it. */

export type Observable = {
  /** Calls the listener after each change. */
  observe(listener: () => void): void
}

/** An observable and the function that calls its listeners. */
export const createSignal = (): Observable & { notify(): void } => {
  const listeners: (() => void)[] = []
  return {
    observe: listener => void listeners.push(listener),
    notify: () => {
      for (const listener of listeners) listener()
    },
  }
}
