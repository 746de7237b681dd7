/** Texts that are too long to be in the page all at once. */
import { expect, test } from 'vitest'
import { on } from './on-screen.ts'

/**
 * Scrolls a request in twenty steps. Resolves with the number of control characters in the page after each step, once
 * the part in the middle of the window is rendered.
 */
const scrollInSteps = async (): Promise<number[]> => {
  /** Resolves in the next frame. The page's paused clock does not delay it. */
  const nextFrame = () =>
    new Promise<void>(resolve => {
      const observer = new IntersectionObserver(() => {
        observer.disconnect()
        resolve()
      })
      observer.observe(document.documentElement)
    })
  const body = document.querySelector('.win__body')
  if (!body) throw new Error('the page shows no request')
  const { left, top, width, height } = body.getBoundingClientRect()
  const middle = () => document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.piece')
  const counts: number[] = []
  for (let step = 0; step < 20; step++) {
    const { scrollTop } = body
    body.scrollBy(0, 3_000)
    if (body.scrollTop === scrollTop) throw new Error('the request does not scroll')
    await nextFrame()
    while (!middle()?.querySelector('.ctl')) await nextFrame()
    counts.push(document.querySelectorAll('.ctl').length)
  }
  return counts
}

test('a megabyte of control characters is rendered in pieces, and only a few are in the page while it scrolls', () =>
  on('approve-sign-chips-huge', async ({ page }) => {
    expect(await page.locator('.piece').count()).toBe(320)
    expect(await page.locator('.ctl').count()).toBeLessThan(30_000)
    const counts = await page.evaluate(scrollInSteps)
    expect(counts).toHaveLength(20)
    // A piece has a thousand characters, and pieces are rendered within four heights of the window.
    expect(Math.max(...counts)).toBeLessThan(10_000)
  }))
