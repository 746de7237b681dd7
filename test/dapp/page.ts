/**
 * Shared code of the demo site's pages. A button runs the action of its name, and the `output` with the action's id
 * shows the result. Its `data-state` is `waiting`, `result` or `error`.
 */

export type State = 'waiting' | 'result' | 'error'

/** Shows a text in an output. */
export function show(output: HTMLOutputElement, state: State, text: string) {
  output.dataset.state = state
  output.textContent = text
}

/** Returns the element with this id. Throws if it is missing or has another type. */
export function element<T extends Element>(id: string, type: new () => T): T {
  const found = document.getElementById(id)
  if (found instanceof type) return found
  throw new Error(`The page has no ${type.name} with the id ${id}.`)
}

/** Returns the button of an action. Throws if it is missing. */
export function button(name: string): HTMLButtonElement {
  const found = document.querySelector<HTMLButtonElement>(`button[data-action="${name}"]`)
  if (found) return found
  throw new Error(`The page has no button for ${name}.`)
}

/** Returns the UTF-8 bytes of a text, as hex. */
export function hexOf(text: string): string {
  return `0x${[...new TextEncoder().encode(text)].map(byte => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Makes each button run its action and show the result or the error. */
export function connectButtons(actions: Readonly<Record<string, () => Promise<unknown>>>) {
  for (const [name, act] of Object.entries(actions))
    button(name).addEventListener('click', () => perform(element(name, HTMLOutputElement), act))
}

async function perform(output: HTMLOutputElement, act: () => Promise<unknown>) {
  show(output, 'waiting', 'Waiting for the wallet')
  try {
    show(output, 'result', JSON.stringify(await act(), null, 2))
  } catch (error) {
    const { code, message } = error as { code?: number; message: string }
    show(output, 'error', JSON.stringify({ code, message }, null, 2))
  }
}
