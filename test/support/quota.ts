/**
 * Preloaded into a server under test. Limits its data folder to the number of bytes in the file `<folder>.quota`, if
 * that file exists. As on a full disk, a write is cut at the limit and the next one fails.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

const folder = process.argv[process.argv.indexOf('--data-dir') + 1] ?? ''
const real = { ...fs }

const sizeOf = (name: string): number => real.statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0
const used = (): number => real.readdirSync(folder).reduce((sum, name) => sum + sizeOf(name), 0)

/** Returns the number of bytes that still fit into the folder. */
const left = (): number => {
  if (!real.existsSync(`${folder}.quota`)) return Number.POSITIVE_INFINITY
  return Math.max(Number(real.readFileSync(`${folder}.quota`, 'utf8')) - used(), 0)
}

const full = (): Error => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })

const firstOf = (parts: readonly Uint8Array[], most: number): Uint8Array[] => {
  let rest = most
  return parts.map(part => {
    const taken = part.subarray(0, rest)
    rest -= taken.length
    return taken
  })
}

Object.assign(fs, {
  writevSync: (file: number, parts: readonly Uint8Array[], at?: number): number => {
    const most = left()
    if (most === 0) throw full()
    return real.writevSync(file, firstOf(parts, most), at)
  },
  writeFileSync: (path: string, data: string | Uint8Array, options?: fs.WriteFileOptions): void => {
    if (left() < Buffer.byteLength(data)) throw full()
    real.writeFileSync(path, data, options)
  },
  statfsSync: (path: string): fs.StatsFs => {
    const stats = real.statfsSync(path)
    return Object.assign(stats, { bavail: Math.min(stats.bavail, Math.floor(left() / stats.bsize)) })
  },
})
syncBuiltinESMExports()
