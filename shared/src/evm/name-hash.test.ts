import { dnsEncode as ethersDnsEncode, namehash } from 'ethers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeData } from './hex.ts'
import { encodeDnsName, nameHash } from './name-hash.ts'

test.each([
  ['', '0x0000000000000000000000000000000000000000000000000000000000000000'],
  ['eth', '0x93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae'],
  ['foo.eth', '0xde9b09fd7c5f901e23a3f19fecc54828e9c848539801e86591bd9801b019f84f'],
])('the node of %j is the node in ENSIP-1', (name, node) => {
  expect(nameHash(name)).toBe(node)
})

const label = fc.stringMatching(/^[a-z0-9]{1,20}$/)

test('nodes and DNS names equal the results of ethers', () => {
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 8 }), labels => {
      const name = labels.join('.')
      expect(nameHash(name)).toBe(namehash(name))
      expect(encodeData(encodeDnsName(name))).toBe(ethersDnsEncode(name))
    }),
  )
})

test.each(['a..eth', '.eth', 'eth.', `${'a'.repeat(256)}.eth`])('%s is refused', name => {
  expect(() => nameHash(name)).toThrow('a label that is empty or longer than 255 bytes')
  expect(() => encodeDnsName(name)).toThrow('a label that is empty or longer than 255 bytes')
})
