/**
 * A folder for one process alone. Each process listens on a socket file of its own in the folder and then looks for
 * others: one that answers is another process that lives, one that does not is left from a process that has ended, by
 * whatever means. Of two that start together each sees the other, for both listen before they look.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

/** Mode of a folder that is made: what waits in it is nobody else's. */
const OWNER_ONLY = 0o700

/** Makes a folder unless it is there. */
export const makeFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
}

/** `in-use-<process id>-<chance>` */
const NAME = /^in-use-(\d+)-[0-9a-f]+$/

/** The system bounds the path of a socket to about a hundred bytes; Linux has a short one for any open folder. */
const LONGEST_PATH = 100

type Reach = { pathOf: (name: string) => string; close: () => void }

const reach = (folder: string, longest: string): Reach => {
  if (Buffer.byteLength(join(folder, longest)) <= LONGEST_PATH)
    return { pathOf: name => join(folder, name), close: () => undefined }
  const opened = openSync(folder, 'r')
  return { pathOf: name => `/proc/self/fd/${opened}/${name}`, close: () => closeSync(opened) }
}

/** Only a refusal says that nobody listens: a process that is stopped, or too busy to answer, has the folder, too. */
const isAlive = (path: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(path)
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'))
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })

const listenOn = async (path: string): Promise<Server> => {
  const server = createServer(socket => socket.destroy())
  server.listen(path)
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
 * Takes a folder, which is made if missing, for this process alone; resolves with what gives it back. The kernel gives it
 * back when the process ends. Rejects with an error that names the folder, and the process that has it.
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
    if (other !== undefined) throw new Error(`process ${other} has it; every server needs a folder of its own`)
    return give
  } catch (thrown) {
    give()
    throw new Error(`the data folder ${folder} cannot be used: ${thrown instanceof Error ? thrown.message : thrown}`)
  }
}
