/** Two clients that keep exchanging messages during an attack. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, vi } from 'vitest'

/** Milliseconds between two messages. The exchange lasts as long as the attack, and must not be a load itself. */
const PACE = 10

export type ExchangeParts = {
  /** Sends a message from one client to the other. Resolves with the text that was received. */
  pass: (message: string) => Promise<string>
  close: () => Promise<unknown>
}

export type Exchange = {
  /** Stops after at least this number of messages, and checks that none was lost. */
  finish: (least: number) => Promise<void>
}

/** Keeps sending a message soon after the previous one has arrived. */
export const startExchange = ({ pass, close }: ExchangeParts): Exchange => {
  let isOver = false
  let sent = 0
  const received: string[] = []
  const exchange = async (): Promise<void> => {
    while (!isOver) {
      const arrived = await pass(`${sent}`)
      sent += 1
      received.push(arrived)
      await pause(PACE)
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
