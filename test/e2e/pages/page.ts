/** A page of buttons: each runs the action of its name, and the `output` with that id shows the answer as JSON. */

type Failure = { code?: unknown; name?: unknown; message?: unknown; cause?: unknown; error?: unknown }

/** Libraries count in bigint, which JSON has no form for: it is shown in decimal. */
const toText = (value: unknown) =>
  JSON.stringify(value ?? null, (_, member) => (typeof member === 'bigint' ? String(member) : member))

const show = (output: HTMLOutputElement, state: 'waiting' | 'result' | 'error', value: unknown) => {
  output.dataset.state = state
  output.textContent = toText(value)
}

/** What the library threw, and the wallet's error that it wraps. */
const describe = (failure: unknown): unknown => {
  const { code, name, message, cause, error = cause } = failure as Failure
  return { code, name, message, ...(error !== undefined && { cause: describe(error) }) }
}

/** Puts the buttons into the page. */
export const offer = (actions: Readonly<Record<string, () => Promise<unknown>>>) => {
  for (const [name, act] of Object.entries(actions)) {
    const [button, output] = [document.createElement('button'), document.createElement('output')]
    button.type = 'button'
    button.textContent = name
    output.id = name
    document.body.append(button, output)
    button.addEventListener('click', async () => {
      show(output, 'waiting', null)
      await act().then(
        value => show(output, 'result', value),
        error => show(output, 'error', describe(error)),
      )
    })
  }
}
