/** Runs a file's tests on screens, with a page for each test. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import type { UiMethod } from '../../extension/src/messages.ts'
import { connectPreviews, type OpenScreen, type Previews } from './browser.ts'

/** Returns a test function that opens the named screen and closes it. Fails if the screen logs an error or a warning. */
export const useScreens = () => {
  let previews: Previews
  beforeAll(async () => {
    previews = await connectPreviews(inject('previews'))
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

/** The params of each call of a method by the screen. */
export const paramsOf = async ({ calls }: OpenScreen, method: UiMethod): Promise<unknown[]> =>
  (await calls()).filter(call => call.method === method).map(({ params }) => params)
