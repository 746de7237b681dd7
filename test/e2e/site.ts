/** The demo site: presses its buttons and reads its outputs. */
import type { Page } from 'playwright-core'
import { decide, type Person } from './person.ts'

export type Answer = { state: 'result' | 'error'; value: unknown }

export type DemoSite = {
  page: Page
  /** Presses a button. */
  press(button: string): Promise<void>
  /** Returns the result of the last press, by the output's id. */
  answer(output: string): Promise<Answer>
  /** Presses a button that needs no approval and returns the result. */
  read(button: string): Promise<Answer>
  /** Presses a button, decides in the approval window, and returns the result. */
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
