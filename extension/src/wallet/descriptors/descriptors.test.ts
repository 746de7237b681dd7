import { expect, test } from 'vitest'
import { memoryStore } from '../storage/store.ts'
import { NOW } from '../wallet.fixture.ts'
import { MAX_DESCRIPTORS, MAX_DESCRIPTORS_SIZE } from './descriptor.ts'
import { parseDescriptors } from './descriptor-json.ts'
import { approveDescriptor, permitDescriptor, swapDescriptor } from './descriptors.fixture.ts'
import { createDescriptors } from './descriptors.ts'

const read = (...given: unknown[]) => parseDescriptors(JSON.stringify(given))
const owned = (owner: string) => ({ ...approveDescriptor, metadata: { owner } })
const start = () => createDescriptors(memoryStore(), () => NOW)

test('descriptors are kept with their source and the time, and can be removed', async () => {
  const descriptors = start()
  expect(await descriptors.add(read(approveDescriptor, permitDescriptor), 'words.json')).toBe(2)
  const kept = await descriptors.list()
  expect(kept).toMatchObject([
    { kind: 'calls', source: 'words.json', addedAt: NOW },
    { kind: 'typedData', source: 'words.json', addedAt: NOW },
  ])
  await descriptors.remove(kept[0]?.id ?? '')
  expect(await descriptors.list()).toEqual([kept[1]])
})

test('an existing descriptor is not added again', async () => {
  const descriptors = start()
  await descriptors.add(read(approveDescriptor), 'words.json')
  expect(await descriptors.add(read(approveDescriptor, swapDescriptor, swapDescriptor), 'host.example')).toBe(1)
  await expect(descriptors.add(read(approveDescriptor, swapDescriptor), 'again.json')).rejects.toMatchObject({
    code: -32602,
    reason: 'descriptorsExist',
  })
  expect((await descriptors.list()).map(({ source }) => source)).toEqual(['words.json', 'host.example'])
})

test('the number of descriptors is limited, and a file that exceeds it adds none', async () => {
  const descriptors = start()
  await descriptors.add(read(...Array.from({ length: MAX_DESCRIPTORS - 1 }, (_, at) => owned(`Owner ${at}`))), 'a')
  await expect(descriptors.add(read(owned('One'), owned('Two')), 'b')).rejects.toMatchObject({
    code: -32005,
    reason: 'tooManyDescriptors',
  })
  expect(await descriptors.list()).toHaveLength(MAX_DESCRIPTORS - 1)
  expect(await descriptors.add(read(owned('One')), 'b')).toBe(1)
})

test('the total size of descriptors is limited', async () => {
  const descriptors = start()
  const [content] = read(approveDescriptor)
  if (!content) throw new Error('nothing was read')
  const long = (owner: string) => ({ ...content, owner: owner.repeat(MAX_DESCRIPTORS_SIZE / 2) })
  await descriptors.add([long('a')], 'a')
  await expect(descriptors.add([long('b')], 'b')).rejects.toMatchObject({ code: -32005, reason: 'descriptorsTooLong' })
  expect(await descriptors.list()).toHaveLength(1)
})
