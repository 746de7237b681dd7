/** UI methods for contract interfaces. */
import { toAddress } from '@heliograph/shared/evm/address'
import * as v from 'valibot'
import type { InterfaceView } from '../../messages.ts'
import { readAbi } from '../review/abi-file.ts'
import type { Interface } from '../review/interfaces.ts'
import { reasonView, rpcError } from '../text/errors.ts'
import { line } from '../text/values.ts'
import { readGivenAddress } from './given-address.ts'
import type { Ui, UiParts } from './parts.ts'

const MAX_NAME = 50
const Name = line(MAX_NAME)

/** Validates a name. Throws -32602. */
const toName = (text: string): string => {
  const parsed = v.safeParse(Name, text)
  if (!parsed.success) throw rpcError('invalidParams', 'interfaceNameForm', { most: MAX_NAME })
  return parsed.output
}

const viewOf = ({ functions, ...kept }: Interface): InterfaceView => ({
  ...kept,
  functions: functions.map(({ text }) => text),
})

export const createInterfacesUi = (parts: UiParts): Pick<Ui, 'getInterfaces' | 'addInterface' | 'removeInterface'> => {
  const { vault, networks, interfaces } = parts

  /** Validates a contract's place. Throws -32602 for an invalid address or an unknown network. */
  const toPlace = async (place: InterfaceView['place']): Promise<Interface['place']> => {
    if (place === null) return null
    const { chainId } = await networks.get(place.chainId)
    const { address } = await readGivenAddress(parts, place.address, chainId)
    return { chainId, address: toAddress(address, 'address') }
  }

  return {
    getInterfaces: async () => {
      await vault.read()
      return (await interfaces.list()).map(viewOf)
    },
    addInterface: async ({ name, place, abi }) => {
      await vault.read()
      const { functions, leftOut } = readAbi(abi)
      const kept = await interfaces.add({ name: toName(name), place: await toPlace(place), functions })
      return {
        ...viewOf(kept),
        ...(leftOut && { leftOut: { count: leftOut.count, first: reasonView(leftOut.first) } }),
      }
    },
    removeInterface: async ({ id }) => {
      await vault.read()
      await interfaces.remove(id)
      return null
    },
  }
}
