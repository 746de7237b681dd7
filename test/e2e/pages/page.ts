/** A page of buttons. Each runs the action of that name, and the `output` with that id shows the result as JSON. */
import { type Actions, answerOf, toText } from '../../libraries/actions.ts'

/** Adds the buttons to the page. */
export const offer = (actions: Actions) => {
  for (const [name, act] of Object.entries(actions)) {
    const [button, output] = [document.createElement('button'), document.createElement('output')]
    button.type = 'button'
    button.textContent = name
    output.id = name
    document.body.append(button, output)
    button.addEventListener('click', async () => {
      output.dataset.state = 'waiting'
      const { state, value } = await answerOf(act)
      output.textContent = toText(value)
      output.dataset.state = state
    })
  }
}
