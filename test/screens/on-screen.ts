/** Runs the tests of a file on screens: one Chromium for all of them, a page of its own for each. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { UiMethod } from '../../extension/src/messages.ts'
import { type OpenScreen, type Previews, startPreviews } from './browser.ts'

/** What runs a test on the screen of that name and closes it. The screen may complain of nothing. */
export const useScreens = () => {
  let previews: Previews
  beforeAll(async () => {
    previews = await startPreviews()
  })
  afterAll(() => previews?.stop())

  return async (name: string, run: (screen: OpenScreen) => Promise<void>): Promise<void> => {
    const screen = await previews.open(name)
    await run(screen)
    expect(screen.complaints).toEqual([])
    await screen.close()
  }
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** What the screen has called a method with, each time. */
export const paramsOf = async ({ calls }: OpenScreen, method: UiMethod): Promise<unknown[]> =>
  (await calls()).filter(call => call.method === method).map(({ params }) => params)
