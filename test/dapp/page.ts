/**
 * Shared code of the demo site's pages: a button runs the action with its name, and the `output` with the id of the
 * action shows the result. Its `data-state` is `waiting`, `result` or `error`.
 */

export type State = 'waiting' | 'result' | 'error'

/** Shows a text in an output. */
export function show(output: HTMLOutputElement, state: State, text: string) {
  output.dataset.state = state
  output.textContent = text
}

/** The element of that id. */
export function element<T extends Element>(id: string, type: new () => T): T {
  const found = document.getElementById(id)
  if (found instanceof type) return found
  throw new Error(`The page has no ${type.name} with the id ${id}.`)
}

/** The button of an action. */
export function button(name: string): HTMLButtonElement {
  const found = document.querySelector<HTMLButtonElement>(`button[data-action="${name}"]`)
  if (found) return found
  throw new Error(`The page has no button for ${name}.`)
}

/** The bytes of a text in UTF-8, as hex. */
export function hexOf(text: string): string {
  return `0x${[...new TextEncoder().encode(text)].map(byte => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Has each button run its action and show how that ended. */
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
