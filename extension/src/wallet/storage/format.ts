/**
 * The format of the data on disk. A version of the wallet that does not know the format of the stored data reads and writes
 * none of it, so that going back to an older version loses nothing.
 */
import { rpcError } from '../text/errors.ts'
import type { Store } from './store.ts'

/**
 * The format that this version writes. Increase it with a change that an older version would misread, and convert the older
 * format where it is read. Data of format 1 has no record of it: it was first written by version 0.1.0. In format 2 sealed
 * values have a revision.
 */
export const FORMAT = 2

/** Name of the record of the format. */
export const FORMAT_RECORD = 'format'

/** The format of the stored data, and the version of the wallet that first wrote it in this format. */
type Written = { format: number; version: string }

export type FormattedStore = Store & {
  /** True if the data was written in a newer format. Every access then throws 4100 `dataNewer`. */
  isNewer(): Promise<boolean>
}

/** A store on disk that records its format before the first write in it. `version` is the wallet's. */
export const inFormat = (local: Store, version: string): FormattedStore => {
  /** The format of the data once it was read; undefined after its removal. */
  let known: number | undefined

  const read = async () => (await local.get(FORMAT_RECORD)) as Written | undefined

  const formatOf = async (): Promise<number> => {
    if (known !== undefined) return known
    const written = await read()
    const format = written?.format ?? 1
    if (written && format > FORMAT) throw rpcError('unauthorized', 'dataNewer', { version: written.version })
    known = format
    return format
  }

  return {
    isNewer: async () => ((await read())?.format ?? 1) > FORMAT,
    get: async name => {
      await formatOf()
      return local.get(name)
    },
    set: async (name, value) => {
      if ((await formatOf()) < FORMAT) {
        await local.set(FORMAT_RECORD, { format: FORMAT, version } satisfies Written)
        known = FORMAT
      }
      await local.set(name, value)
    },
    remove: async name => {
      await formatOf()
      await local.remove(name)
      if (name === FORMAT_RECORD) known = undefined
    },
  }
}
