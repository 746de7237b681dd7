/** Two clients that go on exchanging messages while a test does its worst beside them. */
import { expect, vi } from 'vitest'

export type ExchangeParts = {
  /** Sends the message from one client to the other, and resolves with what has arrived there. */
  pass: (message: string) => Promise<string>
  close: () => Promise<unknown>
}

export type Exchange = {
  /** Ends the exchange once as many messages as that have gone to and fro, and checks that none of all was lost. */
  finish: (least: number) => Promise<void>
}

/** Passes a message as soon as the last has arrived, on and on. */
export const startExchange = ({ pass, close }: ExchangeParts): Exchange => {
  let isOver = false
  let sent = 0
  const received: string[] = []
  const exchange = async (): Promise<void> => {
    while (!isOver) {
      const arrived = await pass(`${sent}`)
      sent += 1
      received.push(arrived)
    }
  }
  const exchanged = exchange()
  return {
    finish: async least => {
      const goal = sent + least
      await Promise.race([exchanged, vi.waitUntil(() => sent >= goal, { timeout: 30_000 })])
      isOver = true
      await exchanged
      await close()
      expect(received).toEqual(Array.from({ length: sent }, (_, index) => `${index}`))
    },
  }
}
