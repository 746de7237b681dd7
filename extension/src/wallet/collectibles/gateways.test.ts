import { expect, test } from 'vitest'
import { toGateway } from './gateways.ts'

test.each([
  ['https://gateway.example', 'https://gateway.example/'],
  [' https://gateway.example/ipfs/ ', 'https://gateway.example/'],
  ['http://127.0.0.1:8080/deep?key=1#x', 'http://127.0.0.1:8080/deep/'],
  ['', null],
  [null, null],
])('%s is the gateway %s', (entered, gateway) => {
  expect(toGateway(entered)).toBe(gateway)
})

test.each(['gateway.example', 'ipfs://gateway.example', 'https://name:word@gateway.example', 'data:,x'])(
  '%s is not a gateway',
  entered => {
    expect(() => toGateway(entered)).toThrow(expect.objectContaining({ reason: 'notGateway' }))
  },
)
