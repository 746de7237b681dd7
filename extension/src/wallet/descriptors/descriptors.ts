/** The descriptors that the user loaded. They only explain requests; checks ignore them. */
import { encodeData } from '@heliograph/shared/evm/hex'
import { randomBytes } from '@noble/hashes/utils.js'
import { createCell, type Store } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'
import { type Descriptor, type DescriptorContent, MAX_DESCRIPTORS, MAX_DESCRIPTORS_SIZE } from './descriptor.ts'

export type Descriptors = {
  /** Returns the descriptors, oldest first. */
  list(): Promise<readonly Descriptor[]>
  /**
   * Adds the new descriptors, all or none, and returns their number. `source` is a file's name or a host. Throws -32005
   * if there is no room, -32602 if all of them exist.
   */
  add(contents: readonly DescriptorContent[], source: string): Promise<number>
  remove(id: string): Promise<void>
}

const ID_BYTES = 8

/** Returns the same key for the same content. Members are sorted, because the store may reorder them. */
export const contentKey = ({ kind, owner, deployments, enums, formats }: DescriptorContent): string =>
  JSON.stringify([kind, owner, deployments, enums, formats], (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
      : value,
  )

/** Throws -32005 if these are more than the wallet keeps. */
export const assertDescriptorRoom = (kept: readonly DescriptorContent[]): void => {
  if (kept.length > MAX_DESCRIPTORS) throw rpcError('limitExceeded', 'tooManyDescriptors', { limit: MAX_DESCRIPTORS })
  if (new TextEncoder().encode(JSON.stringify(kept)).length > MAX_DESCRIPTORS_SIZE)
    throw rpcError('limitExceeded', 'descriptorsTooLong', { limit: MAX_DESCRIPTORS_SIZE })
}

export const createDescriptors = (store: Store, now: () => number): Descriptors => {
  const cell = createCell<readonly Descriptor[]>(store, 'descriptors', [])
  return {
    list: cell.read,
    add: async (contents, source) => {
      const addedAt = now()
      let count = 0
      await cell.update(before => {
        const known = new Set(before.map(contentKey))
        const added = new Map(contents.map(content => [contentKey(content), content]))
        const fresh = [...added].flatMap(([key, content]) => (known.has(key) ? [] : [content]))
        if (fresh.length === 0) throw rpcError('invalidParams', 'descriptorsExist')
        const kept = [
          ...before,
          ...fresh.map(content => ({ ...content, id: encodeData(randomBytes(ID_BYTES)), source, addedAt })),
        ]
        assertDescriptorRoom(kept)
        count = fresh.length
        return kept
      })
      return count
    },
    remove: async id => {
      await cell.update(before => before.filter(kept => kept.id !== id))
    },
  }
}
