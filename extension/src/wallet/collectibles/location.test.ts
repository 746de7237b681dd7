import fc from 'fast-check'
import { expect, test } from 'vitest'
import { locate } from './location.ts'

const QM = `Qm${'a'.repeat(44)}`
const B32 = `bafy${'a'.repeat(55)}`
const TX = 'x'.repeat(43)
/** TX in base32, computed with Python's base64 module. */
const SANDBOX = `${'y4ohdr'.repeat(8)}y4oa`
const CHOSEN = { ipfs: 'https://gateway.example/', arweave: 'https://weave.example/' }
const NONE = { ipfs: null, arweave: null }

test.each([
  [`ipfs://${QM}`, `https://gateway.example/ipfs/${QM}`],
  [`ipfs://ipfs/${QM}/1.json`, `https://gateway.example/ipfs/${QM}/1.json`],
  [` IPFS://${B32}/a b/%23.png?x=1#y`, `https://gateway.example/ipfs/${B32}/a%20b/%23.png`],
  [`https://elsewhere.example/ipfs/${QM}/1`, `https://gateway.example/ipfs/${QM}/1`],
  [`ar://${TX}/1.png`, `https://weave.example/${TX}/1.png`],
])('%s is read from %s', (uri, url) => {
  expect(locate(uri, CHOSEN)).toMatchObject({ kind: 'gateway', url })
})

test.each([
  ['https://weave.example/', `https://${SANDBOX}.weave.example/${TX}/1.png`],
  ['http://weave.example:8080/', `http://${SANDBOX}.weave.example:8080/${TX}/1.png`],
  ['http://127.0.0.1:3000/', null],
  ['http://[::1]:3000/', null],
  ['http://localhost:3000/', null],
])('the gateway %s may serve the content of a transaction at %s', (arweave, sandbox) => {
  expect(locate(`ar://${TX}/1.png`, { ...NONE, arweave })).toMatchObject({ sandbox })
})

test.each([
  [`ipfs://${QM}`, 'noGateway'],
  [`ar://${TX}`, 'noGateway'],
  [`https://elsewhere.example/ipfs/${QM}`, 'noGateway'],
  ['https://elsewhere.example/1.png', 'web'],
  ['http://127.0.0.1:8545/ipfs/not-a-cid', 'web'],
  ['data:,x', 'data'],
  ['file:///etc/passwd', 'unknown'],
  ['javascript:alert(1)', 'unknown'],
  ['', 'unknown'],
])('without gateways, %s is %s', (uri, kind) => {
  expect(locate(uri, NONE)).toEqual({ kind })
})

test.each([
  `ipfs://${QM}/../../admin`,
  `ipfs://${QM}/%2e%2e/admin`,
  `ipfs://${QM}/%`,
  'ipfs://../admin',
  `ar://${TX}/../x`,
  'ar://short',
  `ipfs://${QM}/${'x'.repeat(2_000)}`,
])('%s is not read', uri => {
  expect(locate(uri, CHOSEN)).toEqual({ kind: 'unknown' })
})

test('only content at the chosen gateways is ever read', () => {
  const piece = fc.oneof(
    fc.constantFrom('ipfs://', 'ar://', 'https://', QM, B32, TX, '/', '..', '%2e', '?', '#', '@', '\\', 'evil.example'),
    fc.string({ maxLength: 5 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
      const location = locate(pieces.join(''), CHOSEN)
      if (location.kind !== 'gateway') return
      const { href } = new URL(location.url)
      expect(href).toMatch(/^https:\/\/(gateway\.example\/ipfs\/(Qm|b)|weave\.example\/)\w/)
    }),
    { numRuns: 2_000 },
  )
})
