import { toAddress } from '@heliograph/shared/evm/address'
import { defaultNetworks, type Network } from '@heliograph/shared/network'
import { expect, test } from 'vitest'
import type { GatewaysView } from '../../messages.ts'
import { nodeError } from '../networks/answers.ts'
import { chainOf, drawPicture } from '../wallet.fixture.ts'
import { createCollectibles, MOST_KEPT } from './collectibles.ts'
import type { Download } from './download.ts'
import { png } from './images.fixture.ts'

const CATS = toAddress(`0x${'ca'.repeat(20)}`)
const CID = `Qm${'a'.repeat(44)}`
const NONE: GatewaysView = { ipfs: null, arweave: null }
const CHOSEN: GatewaysView = { ipfs: 'https://gateway.example/', arweave: null }
const network = defaultNetworks[0] as Network

const word = (value: number) => value.toString(16).padStart(64, '0')
const textWords = (text: string) => {
  const hex = Buffer.from(text).toString('hex')
  return `0x${word(32)}${word(hex.length / 2)}${hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')}`
}
const jsonUrl = (value: unknown) => `data:application/json;base64,${btoa(JSON.stringify(value))}`

/** Creates a node whose contracts return a URI, and gateways that serve files. */
const world = (uri: string | null, files: Record<string, Uint8Array<ArrayBuffer> | null> = {}) => {
  const calls: string[] = []
  const asked: string[] = []
  const chain = chainOf({
    eth_call: ([call]) => {
      calls.push((call as { data: string }).data)
      if (uri === null) throw nodeError({ code: 3, message: 'execution reverted' })
      return textWords(uri)
    },
  })
  const download: Download = async url => {
    asked.push(url)
    const file = files[url]
    if (file === undefined) throw new Error('not found')
    return file
  }
  const collectibles = createCollectibles(download, drawPicture)
  const describe = (gateways: GatewaysView, id = '7', kind: 'erc721' | 'erc1155' = 'erc721') =>
    collectibles.describe({ chain, network, account: CATS }, { address: CATS, kind, id }, gateways)
  const cached = (gateways: GatewaysView, id = '7') =>
    collectibles.cached(network, { address: CATS, kind: 'erc721', id }, gateways)
  return { describe, cached, asked, calls }
}
const bytes = (value: unknown) => new Uint8Array(new TextEncoder().encode(JSON.stringify(value)))
const PICTURE = png(2, 2)
const SHOWN = expect.stringMatching(/^data:image\/png;base64,/)

test('metadata and pictures stored in the contract are read without a gateway', async () => {
  const svg = 'data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg"><rect fill="#f00"/></svg>'
  const { describe, asked, calls } = world(jsonUrl({ name: 'Cat', description: 'Red', image: svg }))
  expect(await describe(CHOSEN)).toEqual({
    name: 'Cat',
    description: 'Red',
    attributes: [],
    picture: expect.stringMatching(/^data:image\/svg\+xml;charset=utf-8;base64,/),
    missing: null,
    link: null,
  })
  expect(asked).toEqual([])
  expect(calls).toEqual([`0xc87b56dd${word(7)}`])
})

test('without gateways no host is contacted, and the URI is returned', async () => {
  for (const [uri, missing] of [
    [`ipfs://${CID}`, 'noGateway'],
    ['https://api.example/7', 'web'],
  ] as const) {
    const there = world(uri)
    expect(await there.describe(NONE)).toMatchObject({ name: null, picture: null, missing, link: uri })
    const inside = world(jsonUrl({ name: 'Cat', image: uri }))
    expect(await inside.describe(NONE)).toMatchObject({ name: 'Cat', picture: null, missing, link: uri })
    expect([...there.asked, ...inside.asked]).toEqual([])
  }
})

test("metadata and picture are read from the gateway, with the item's id in an ERC-1155 URI", async () => {
  const metadata = `https://gateway.example/ipfs/${CID}/${word(255)}.json`
  const picture = `https://gateway.example/ipfs/${CID}/cat.png`
  const { describe, asked, calls } = world(`ipfs://${CID}/{id}.json`, {
    [metadata]: bytes({ name: 'Cat', image: `ipfs://${CID}/cat.png` }),
    [picture]: PICTURE,
  })
  expect(await describe(CHOSEN, '255', 'erc1155')).toMatchObject({ name: 'Cat', picture: SHOWN, missing: null })
  expect(asked).toEqual([metadata, picture])
  expect(calls).toEqual([`0x0e89341c${word(255)}`])
})

test('if an Arweave gateway redirects, its subdomain for the transaction is queried', async () => {
  const id = 'x'.repeat(43)
  const sandbox = `https://${'y4ohdr'.repeat(8)}y4oa.weave.example/${id}`
  const { describe, asked } = world(`ar://${id}`, { [sandbox]: bytes({ name: 'Cat' }) })
  expect(await describe({ ...NONE, arweave: 'https://weave.example/' })).toMatchObject({ name: 'Cat' })
  expect(asked).toEqual([`https://weave.example/${id}`, sandbox])
})

test('an item is read once, and read again with another gateway or after a gateway failure', async () => {
  const url = `https://gateway.example/ipfs/${CID}`
  const good = world(`ipfs://${CID}`, { [url]: bytes({ name: 'Cat' }) })
  await good.describe(CHOSEN)
  await good.describe(CHOSEN)
  expect(good.asked).toHaveLength(1)
  await good.describe(NONE)
  expect(good.calls).toHaveLength(2)
  const bad = world(`ipfs://${CID}`)
  expect(await bad.describe(CHOSEN)).toMatchObject({ missing: 'unreachable' })
  await bad.describe(CHOSEN)
  expect(bad.asked).toHaveLength(2)
})

test('an item is cached once it has been read, and looking into the cache reads nothing', async () => {
  const { describe, cached, calls, asked } = world(jsonUrl({ name: 'Cat' }))
  expect(cached(NONE)).toBeNull()
  const reading = describe(NONE)
  expect(cached(NONE)).toBeNull()
  await reading
  expect(cached(NONE)).toMatchObject({ name: 'Cat', picture: null })
  expect([cached(CHOSEN), cached(NONE, '8')]).toEqual([null, null])
  expect([calls.length, asked.length]).toEqual([1, 0])
  const bad = world(`ipfs://${CID}`)
  await bad.describe(CHOSEN)
  expect(bad.cached(CHOSEN)).toBeNull()
})

test('the numbers of concurrent reads and of cached items are limited', async () => {
  const { describe, calls } = world(jsonUrl({ name: 'Cat' }))
  const ids = Array.from({ length: MOST_KEPT + 1 }, (_, at) => String(at))
  const first = Promise.all(ids.map(id => describe(NONE, id)))
  await Promise.resolve()
  expect(calls.length).toBeLessThanOrEqual(4)
  await first
  expect(calls).toHaveLength(MOST_KEPT + 1)
  await describe(NONE, '1')
  expect(calls).toHaveLength(MOST_KEPT + 1)
  await describe(NONE, '0')
  expect(calls).toHaveLength(MOST_KEPT + 2)
})

test.each([
  ['a contract without metadata', null, 'none'],
  ['an empty URI', '', 'none'],
  ['metadata that is not JSON', 'data:application/json,<html>', 'refused'],
  ['metadata without a picture', jsonUrl({ name: 'Cat' }), 'none'],
  ['a URI of another kind', 'javascript:alert(1)', 'refused'],
  ['a picture that is HTML', jsonUrl({ image: 'data:image/png;base64,PGh0bWw+' }), 'refused'],
  ['a picture of too many pixels', jsonUrl({ image: `data:,${png(60_000, 60_000)}` }), 'refused'],
  ['a picture with a script', jsonUrl({ image: 'data:image/svg+xml,<svg><script>1</script></svg>' }), 'refused'],
])('%s has no picture', async (_, uri, missing) => {
  expect(await world(uri).describe(CHOSEN)).toMatchObject({ picture: null, missing })
})

test('a file that is too large is refused', async () => {
  const url = `https://gateway.example/ipfs/${CID}`
  expect(await world(`ipfs://${CID}`, { [url]: null }).describe(CHOSEN)).toMatchObject({ missing: 'refused' })
})
