/**
 * Contract interfaces that the user added, to decode calls to functions that the wallet does not know. An interface
 * only provides names. Effects on tokens are derived only for functions in the wallet's own table.
 */
import { parseFunction } from '@heliograph/shared/evm/abi'
import { type Address, sameAddress } from '@heliograph/shared/evm/address'
import { decodeCallOf, selectorOf } from '@heliograph/shared/evm/calldata'
import { encodeData } from '@heliograph/shared/evm/hex'
import { randomBytes } from '@noble/hashes/utils.js'
import { createCell, type Store } from '../storage/store.ts'
import { rpcError } from '../text/errors.ts'
import type { NamedFunction } from './abi-file.ts'
import type { ReadOwn } from './call.ts'

/** An interface for the contract at `place`, or for any contract if `place` is null. */
export type Interface = {
  id: string
  name: string
  place: { chainId: number; address: Address } | null
  functions: readonly NamedFunction[]
}

export type Interfaces = {
  list(): Promise<readonly Interface[]>
  /** Adds an interface. Throws -32005 if there is no room, -32602 if it already exists. */
  add(added: Omit<Interface, 'id'>): Promise<Interface>
  remove(id: string): Promise<void>
  /** Returns a decoder for calls to contracts on a network. */
  reader(chainId: number): Promise<ReadOwn>
}

/** Maximum number of interfaces, and maximum characters of all interfaces together. */
export const MAX_INTERFACES = 100
export const MAX_INTERFACES_SIZE = 1 << 20
const ID_BYTES = 8

const isSamePlace = (one: Interface['place'], other: Interface['place']): boolean =>
  one === null || other === null
    ? one === other
    : one.chainId === other.chainId && sameAddress(one.address, other.address)

const textOf = ({ functions }: Pick<Interface, 'functions'>): string => functions.map(({ text }) => text).join('\n')

/** Throws -32602 if an interface exists, -32005 if there is no room for it. */
export const assertRoom = (kept: readonly Interface[], added: Interface): void => {
  if (kept.some(other => isSamePlace(other.place, added.place) && textOf(other) === textOf(added)))
    throw rpcError('invalidParams', 'interfaceExists')
  if (kept.length >= MAX_INTERFACES) throw rpcError('limitExceeded', 'tooManyInterfaces', { limit: MAX_INTERFACES })
  if (JSON.stringify([...kept, added]).length > MAX_INTERFACES_SIZE)
    throw rpcError('limitExceeded', 'interfacesTooLong', { limit: MAX_INTERFACES_SIZE })
}

/** Finds a function. A contract's own interface takes precedence over interfaces for any contract. */
const findFunction = (kept: readonly Interface[], place: { chainId: number; address: string }, selector: string) => {
  const isOfContract = ({ place: own }: Interface) =>
    own !== null && own.chainId === place.chainId && sameAddress(own.address, place.address)
  const candidates = [...kept.filter(isOfContract), ...kept.filter(({ place: own }) => own === null)]
  for (const { name, functions } of candidates) {
    const found = functions.find(called => called.selector === selector)
    if (found) return { name, text: found.text }
  }
  return undefined
}

export const createInterfaces = (store: Store): Interfaces => {
  const cell = createCell<readonly Interface[]>(store, 'interfaces', [])
  return {
    list: cell.read,
    add: async added => {
      const kept = { ...added, id: encodeData(randomBytes(ID_BYTES)) }
      await cell.update(interfaces => {
        assertRoom(interfaces, kept)
        return [...interfaces, kept]
      })
      return kept
    },
    remove: async id => {
      await cell.update(interfaces => interfaces.filter(kept => kept.id !== id))
    },
    reader: async chainId => {
      const kept = await cell.read()
      return (address, data, budget) => {
        const found = findFunction(kept, { chainId, address }, selectorOf(data))
        return found && { call: decodeCallOf(data, parseFunction(found.text), budget), by: found.name }
      }
    },
  }
}
