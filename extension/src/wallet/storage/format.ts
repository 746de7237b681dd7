/**
 * The format of the data on disk. A wallet version that does not know the stored format does not read or write any
 * data, so downgrading loses nothing.
 */
import { rpcError } from '../text/errors.ts'
import type { Store } from './store.ts'

/**
 * The format that this version writes. Increase it with a change that an older version would misread, and convert the
 * older format where it is read. Format 1, first written by version 0.1.0, has no format record. In format 2, sealed
 * values have a revision.
 */
export const FORMAT = 2

/** Name of the format record. */
export const FORMAT_RECORD = 'format'

/** Format of the stored data, and the first wallet version that wrote it in this format. */
type Written = { format: number; version: string }

export type FormattedStore = Store & {
  /** True if the data was written in a newer format. Every access then throws 4100 `dataNewer`. */
  isNewer(): Promise<boolean>
}

/** Wraps the store on disk: records the format before the first write. `version` is the wallet's version. */
export const inFormat = (local: Store, version: string): FormattedStore => {
  /** Format of the data. Undefined until it is read, and after the data was removed. */
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
