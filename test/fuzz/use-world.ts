/** Runs a file's tests on one chain, with wallets that review requests on it. */
import { afterAll, beforeAll } from 'vitest'
import { type Review, startReview } from './review.ts'
import { startWorld, type World } from './world.ts'

/**
 * Starts both before the file's tests, within `timeout` ms, and stops the chain after them. Returns a function for use
 * in the tests.
 */
export const useWorld = (timeout: number): (() => { world: World; review: Review }) => {
  let world: World
  let review: Review
  beforeAll(async () => {
    world = await startWorld()
    review = await startReview(world.rpc)
  }, timeout)
  afterAll(() => world?.stop())
  return () => ({ world, review })
}
