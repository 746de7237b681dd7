/** The demo site as a person uses it: press a button, read the answer. */
import type { Page } from 'playwright-core'
import { decide, type Person } from './person.ts'

export type Answer = { state: 'result' | 'error'; value: unknown }

export type DemoSite = {
  page: Page
  /** Presses the button. */
  press(button: string): Promise<void>
  /** The answer to the last press of a button, by the id of its output. */
  answer(output: string): Promise<Answer>
  /** Presses a button for which the person is not asked, and returns the answer. */
  read(button: string): Promise<Answer>
  /** Presses, decides in the approval window, and returns the answer. */
  ask(button: string, decision: 'Approve' | 'Reject' | 'Connect', output?: string): Promise<Answer>
}

export const openSite = async (person: Person, url: string): Promise<DemoSite> => {
  const page = await person.context.newPage()
  await page.goto(url)
  const press = (button: string) => page.getByRole('button', { name: button, exact: true }).click()
  const answer = async (output: string): Promise<Answer> => {
    const done = page.locator(`output[id="${output}"]:is([data-state=result], [data-state=error])`)
    await done.waitFor()
    const state = (await done.getAttribute('data-state')) === 'error' ? 'error' : 'result'
    return { state, value: JSON.parse((await done.textContent()) ?? '') }
  }
  return {
    page,
    press,
    answer,
    read: async button => {
      await press(button)
      return answer(button)
    },
    ask: async (button, decision, output = button) => {
      await decide(await person.approval(() => press(button)), decision)
      return answer(output)
    },
  }
}
