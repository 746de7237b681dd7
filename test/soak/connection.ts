/** A connection to the relay that reconnects automatically, as clients' connections do. */
import { setTimeout as pause } from 'node:timers/promises'
import { openWire, type Wire } from '../bench/wire.ts'
import { tokenOf } from '../support/relay-client.ts'

/** Milliseconds between attempts to connect. */
const RETRY = 100

export type LastingConnection = {
  /** Returns the connection, or undefined while there is none. */
  wire: () => Wire | undefined
  open: () => void
  close: () => void
}

type Options = {
  /** Returns the relay's port, which changes with each start. */
  port: () => number
  /** Seed of the client's key. */
  seed: number
  onOpen?: (wire: Wire) => void
  onFrame: (frame: string, wire: Wire) => void
}

export const createLastingConnection = ({ port, seed, onOpen, onFrame }: Options): LastingConnection => {
  let wire: Wire | undefined
  let isWanted = false

  const connect = (): Promise<Wire> =>
    new Promise((resolve, reject) => {
      let opened: Wire | undefined
      const onLost = (): void => {
        reject(new Error('the connection was lost'))
        if (opened && wire === opened) void keep()
      }
      const path = `/?auth=${tokenOf(seed)}`
      openWire({
        port: port(),
        path,
        isBinary: false,
        onFrame: frame => opened && onFrame(frame, opened),
        onLost,
      }).then(made => {
        opened = made
        resolve(made)
      }, reject)
    })

  const keep = async (): Promise<void> => {
    wire = undefined
    while (isWanted) {
      const made = await connect().catch(() => pause(RETRY))
      if (!made) continue
      if (!isWanted) made.close()
      else {
        wire = made
        onOpen?.(made)
      }
      return
    }
  }

  return {
    wire: () => wire,
    open: () => {
      isWanted = true
      void keep()
    },
    close: () => {
      isWanted = false
      wire?.close()
      wire = undefined
    },
  }
}
