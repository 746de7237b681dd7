/** A page of buttons. Each runs the action of its name, and the `output` with that id shows the result as JSON. */

type Failure = { code?: unknown; name?: unknown; message?: unknown; cause?: unknown; error?: unknown }

/** Writes bigints in decimal, since JSON has no form for them. */
const toText = (value: unknown) =>
  JSON.stringify(value ?? null, (_, member) => (typeof member === 'bigint' ? String(member) : member))

const show = (output: HTMLOutputElement, state: 'waiting' | 'result' | 'error', value: unknown) => {
  output.dataset.state = state
  output.textContent = toText(value)
}

/** The library's error and the wallet's error inside it. */
const describe = (failure: unknown): unknown => {
  const { code, name, message, cause, error = cause } = failure as Failure
  return { code, name, message, ...(error !== undefined && { cause: describe(error) }) }
}

/** Adds the buttons to the page. */
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
