/** What was written ahead and is not in the store: the next commit brings it there. */
import { type Change, GONE, type Row } from './message-tables.ts'
import type { WriteAheadLog } from './write-ahead-log.ts'

/** Chunks as they are now, changes of what is in chunks, and rows, the last of them being the newest. */
export type Recovered = {
  chunks: Map<number, Buffer>
  changes: Map<number, [at: number, change: Change][]>
  rows: Row[]
  /** The last chunk of which the files speak: its number is not given again while they are there. */
  lastId: number
}

export const nothing = (): Recovered => ({ chunks: new Map(), changes: new Map(), rows: [], lastId: 0 })

/** Reads what is in the files after that one. `stored` has the bytes of a chunk that is in the store. */
export const recover = (
  log: Pick<WriteAheadLog, 'read'>,
  after: number,
  stored: (chunk: number) => Buffer | undefined,
): Recovered => {
  const recovered = nothing()
  const { chunks, changes, rows } = recovered

  /** What was stored before the end of the process is passed over, and so is what had gone from there. */
  const add = (id: number, at: number, bytes: Buffer): void => {
    const before = chunks.get(id) ?? stored(id) ?? Buffer.of()
    if (at === before.length) chunks.set(id, Buffer.concat([before, bytes]))
  }

  const note = (id: number, at: number, change: Change): void => {
    recovered.lastId = Math.max(recovered.lastId, id)
    const list = changes.get(id)
    if (list) list.push([at, change])
    else changes.set(id, [[at, change]])
  }

  for (const { record: done, bytes } of log.read(after)) {
    let start = 0
    for (const [id, at, length] of done.chunks) {
      recovered.lastId = Math.max(recovered.lastId, id)
      add(id, at, bytes.subarray(start, start + length))
      start += length
    }
    for (const [id, at, change] of done.changes) note(id, at, change)
    for (let index = 0; index < done.gone.length; index += 2)
      note(done.gone[index] ?? 0, done.gone[index + 1] ?? 0, GONE)
    rows.push(...done.rows)
  }
  return recovered
}
