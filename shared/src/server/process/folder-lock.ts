/**
 * Locks a folder for one process. Each process listens on its own socket file in the folder and then connects to all
 * others. If a socket accepts, its process is alive; if it refuses, its process has exited without removing it.
 * Two processes that start together detect each other, because both listen before they connect.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

/** Mode of a new folder: messages in it are private. */
const OWNER_ONLY = 0o700

export const makeFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
}

/** `in-use-<PID>-<random hex>` */
const NAME = /^in-use-(\d+)-[0-9a-f]+$/

/** Socket paths are limited to about a hundred bytes. On Linux /proc/self/fd gives a short path to any open folder. */
const LONGEST_PATH = 100

type Reach = { pathOf: (name: string) => string; close: () => void }

const reach = (folder: string, longest: string): Reach => {
  if (Buffer.byteLength(join(folder, longest)) <= LONGEST_PATH)
    return { pathOf: name => join(folder, name), close: () => undefined }
  const opened = openSync(folder, 'r')
  return { pathOf: name => `/proc/self/fd/${opened}/${name}`, close: () => closeSync(opened) }
}

/** False only if the connection is refused or the socket is gone. A suspended or busy process still holds the lock. */
const isAlive = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(path)
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'))
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })

/**
 * Connecting requires write permission on the socket. All users get this permission, so that a service can tell that a
 * command run by root has exited. The folder's permissions limit which users can reach the socket.
 */
const listenOn = async (path: string): Promise<Server> => {
  const server = createServer(socket => socket.destroy())
  server.listen({ path, writableAll: true })
  await once(server, 'listening')
  server.unref()
  return server
}

const findOther = async (folder: string, own: string, { pathOf }: Reach): Promise<string | undefined> => {
  for (const name of readdirSync(folder)) {
    const [, processId] = NAME.exec(name) ?? []
    if (processId === undefined || name === own) continue
    if (await isAlive(pathOf(name))) return processId
    rmSync(join(folder, name), { force: true })
  }
  return undefined
}

/**
 * Creates the folder if needed and locks it. Resolves with a function that releases the lock; the lock is also released
 * when the process exits. Rejects with an error that names the folder and the process that holds the lock.
 */
export const takeFolder = async (folder: string): Promise<() => void> => {
  const own = `in-use-${process.pid}-${randomBytes(4).toString('hex')}`
  let server: Server | undefined
  let reached: Reach | undefined
  const give = (): void => {
    server?.close()
    reached?.close()
  }
  try {
    makeFolder(folder)
    reached = reach(folder, own)
    server = await listenOn(reached.pathOf(own))
    const other = await findOther(folder, own, reached)
    if (other !== undefined) throw new Error(`process ${other} uses it; every server needs its own folder`)
    return give
  } catch (thrown) {
    give()
    throw new Error(`the data folder ${folder} cannot be used: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}
