/**
 * A disk that takes nothing, or only some bytes of a write, when a test says so:
 * `vi.mock('node:fs', async original => failingDisk(await original()))`.
 */
import type * as fs from 'node:fs'

/** `left` is how many bytes it takes before it is full; `readError` is what reading throws. */
export const disk: { left: number; readError: Error | undefined } = {
  left: Number.POSITIVE_INFINITY,
  readError: undefined,
}

const full = (): Error => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })

/** The parts up to that many bytes. */
const firstOf = (parts: readonly Uint8Array[], most: number): Uint8Array[] => {
  let left = most
  return parts.map(part => {
    const taken = part.subarray(0, left)
    left -= taken.length
    return taken
  })
}

export const failingDisk = (real: typeof fs): typeof fs => {
  const writevSync = (file: number, parts: readonly Uint8Array[], at?: number | null): number => {
    if (disk.left === 0) throw full()
    const written = real.writevSync(file, firstOf(parts, disk.left), at)
    disk.left -= written
    return written
  }
  const writeFileSync: typeof fs.writeFileSync = (file, data, options) => {
    if (disk.left < data.length) throw full()
    real.writeFileSync(file, data, options)
  }
  const readSync = (...args: Parameters<typeof fs.readSync>): number => {
    if (disk.readError) throw disk.readError
    return real.readSync(...args)
  }
  return { ...real, writevSync, writeFileSync, readSync } as typeof fs
}
