/**
 * Requests that must be read to their end, with the keyboard only. The gate reads one of each kind. The complete run
 * reads further requests of these kinds, which take longer.
 */
import { expect, test } from 'vitest'
import { isComplete } from '../support/suite.ts'
import { advance } from './browser.ts'
import { button, decisions, focused, on, QUIET } from './on-screen.ts'

const READ = 'Read to the end to approve'

const OF_EACH_KIND = [
  'approve-sign-text-hostile',
  'approve-sign-hex-huge',
  'approve-typed-domain-huge',
  'approve-siwe-long',
  'approve-call',
  'approve-calls-many',
]
const OTHERS = ['approve-sign-text-huge', 'approve-sign-chips-huge', 'approve-typed-huge']

test.for(isComplete ? OTHERS : OF_EACH_KIND)(
  '%s: with the keyboard only, Approve is enabled once the end has been on the screen',
  name =>
    on(name, async screen => {
      const { page } = screen
      await advance(page, QUIET)
      expect(await button(page, READ).isEnabled()).toBe(false)
      await button(page, READ).click({ force: true })
      await advance(page, QUIET)
      await page.keyboard.press('Tab')
      for (let tabs = 0; (await focused(page)) !== 'Go to the end' && tabs < 300; tabs++)
        await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect
        .poll(async () => {
          await advance(page, 100)
          return button(page, 'Approve').count()
        })
        .toBe(1)
      expect(await decisions(screen)).toEqual([])
      await advance(page, QUIET)
      const understood = page.getByRole('checkbox', { name: /^I understand/ })
      if (await understood.isVisible()) await understood.press('Space')
      await advance(page, QUIET)
      await button(page, 'Approve').press('Space')
      await expect.poll(() => decisions(screen)).toMatchObject([{ approve: true }])
    }),
)
