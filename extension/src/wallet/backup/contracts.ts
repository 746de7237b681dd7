/** Sections about contracts: the user's interfaces, and descriptors. Both only add words to a review. */
import type { Address } from '@heliograph/shared/evm/address'
import * as v from 'valibot'
import type { DescriptorItem, InterfaceItem } from '../../messages.ts'
import { cutText, type DescriptorContent, MAX_DESCRIPTOR_SIZE } from '../descriptors/descriptor.ts'
import { assertDescriptorRoom, contentKey } from '../descriptors/descriptors.ts'
import { functionsOfAbi, MAX_FUNCTIONS } from '../review/abi-file.ts'
import { assertRoom, type Interface } from '../review/interfaces.ts'
import { shortHash } from '../storage/short-hash.ts'
import { rpcError } from '../text/errors.ts'
import { line } from '../text/values.ts'
import { descriptorContent } from './descriptor-schema.ts'
import { lower, plain, type Section } from './section.ts'
import { address, chainId, listOf } from './values.ts'

/** Limits of a text: an interface's name, and a function with its parameters. */
const MAX_NAME = 50
const MAX_FUNCTION = 8_000

const interfaceId = ({ place, functions }: InterfaceItem): string =>
  shortHash(JSON.stringify([place && [place.chainId, lower(place.address)], functions]))

const itemOf = ({ name, place, functions }: Interface): InterfaceItem => ({
  name,
  place,
  functions: functions.map(({ text }) => text),
})

const interfaceOf = ({ name, place, functions }: InterfaceItem): Omit<Interface, 'id'> => ({
  name,
  place: place && { chainId: place.chainId, address: place.address as Address },
  functions: functionsOfAbi(functions.join('\n')),
})

export const interfaces: Section<'interfaces'> = {
  name: 'interfaces',
  schema: v.object({
    name: line(MAX_NAME),
    place: v.nullish(v.object({ chainId, address }), null),
    functions: listOf(v.pipe(v.string(), v.maxLength(MAX_FUNCTION)), MAX_FUNCTIONS, 1),
  }),
  idOf: interfaceId,
  read: async parts => (await parts.interfaces.list()).map(itemOf),
  compare: ({ name }, known) => (name === known.name ? 'same' : 'differs'),
  fitting: async ({ parts, held }) => {
    const kept = [...(await parts.interfaces.list())]
    return given => {
      const added = { ...interfaceOf(given), id: interfaceId(given) }
      if (!held.interfaces.has(added.id)) {
        assertRoom(kept, added)
        kept.push(added)
      }
      return plain(itemOf(added))
    }
  },
  write: async ({ parts }, items) => {
    for (const item of items) {
      const known = (await parts.interfaces.list()).find(one => interfaceId(itemOf(one)) === interfaceId(item))
      if (known) await parts.interfaces.remove(known.id)
      await parts.interfaces.add(interfaceOf(item))
    }
  },
}

const contentOf = ({ content }: Pick<DescriptorItem, 'content'>): DescriptorContent => content as DescriptorContent

export const descriptors: Section<'descriptors'> = {
  name: 'descriptors',
  schema: v.object({
    source: v.pipe(
      v.nullish(v.string(), ''),
      v.transform(source => cutText(source.trim()) || '?'),
    ),
    content: descriptorContent,
  }),
  idOf: item => shortHash(contentKey(contentOf(item))),
  read: async parts =>
    (await parts.descriptors.list()).map(({ id: _, addedAt: __, source, ...content }) => ({ source, content })),
  compare: () => 'same',
  fitting: async ({ parts }) => {
    const kept: DescriptorContent[] = [...(await parts.descriptors.list())]
    return item => {
      const content = contentOf(item)
      if (JSON.stringify(content).length > MAX_DESCRIPTOR_SIZE)
        throw rpcError('limitExceeded', 'descriptorsTooLong', { limit: MAX_DESCRIPTOR_SIZE })
      assertDescriptorRoom([...kept, content])
      kept.push(content)
      return plain(item)
    }
  },
  write: async ({ parts }, items) => {
    for (const source of new Set(items.map(item => item.source)))
      await parts.descriptors.add(items.filter(item => item.source === source).map(contentOf), source)
  },
}
