/**
 * Simulates a disk that refuses writes or accepts them only partly:
 * `vi.mock('node:fs', async original => (await import('./failing-disk.fixture.ts')).failingDisk(await original()))`.
 */
import type * as fs from 'node:fs'
import type * as promises from 'node:fs/promises'

/**
 * `left` is the number of bytes until the disk is full. `readError` is thrown by reads. `step` is called before and after
 * each write and returns how many bytes it accepts. `sync` is called with the path before a file is synced; an error it
 * throws fails the sync.
 */
export const disk: {
  left: number
  readError: Error | undefined
  step: (() => number) | undefined
  sync: ((path: string) => void) | undefined
} = {
  left: Number.POSITIVE_INFINITY,
  readError: undefined,
  step: undefined,
  sync: undefined,
}

const full = (): Error => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })

/** Truncates the parts to that many bytes in total. */
const firstOf = (parts: readonly Uint8Array[], most: number): Uint8Array[] => {
  let left = most
  return parts.map(part => {
    const taken = part.subarray(0, left)
    left -= taken.length
    return taken
  })
}

export const failingDisk = (real: typeof fs): typeof fs => {
  const writevSync = (file: number, parts: readonly Uint8Array[], at?: number): number => {
    const most = Math.min(disk.left, disk.step?.() ?? disk.left)
    if (most === 0) throw full()
    const written = real.writevSync(file, firstOf(parts, most), at)
    disk.left -= written
    disk.step?.()
    return written
  }
  const writeFileSync = (file: string, data: string | Uint8Array, options?: fs.WriteFileOptions): void => {
    if (disk.left < Buffer.byteLength(data)) throw full()
    real.writeFileSync(file, data, options)
  }
  const readSync = (...args: Parameters<typeof fs.readSync>): number => {
    if (disk.readError) throw disk.readError
    return real.readSync(...args)
  }
  return { ...real, writevSync, writeFileSync, readSync } as typeof fs
}

/** Like `failingDisk`, for 'node:fs/promises', whose functions sync files. */
export const failingSync = (real: typeof promises): typeof promises => ({
  ...real,
  open: async (path, flags, mode) => {
    const file = await real.open(path, flags, mode)
    const datasync = file.datasync.bind(file)
    return Object.assign(file, {
      datasync: async () => {
        disk.sync?.(String(path))
        await datasync()
      },
    })
  },
})
