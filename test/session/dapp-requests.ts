/** Requests of dApps in the session tests, and checks of the responses. */
import { hexlify, TypedDataEncoder, toUtf8Bytes, verifyMessage, verifyTypedData } from 'ethers'
import { expect } from 'vitest'
import { ADDRESS, SECOND } from '../../extension/src/wallet/wallet.fixture.ts'

export const LOCAL = 'eip155:31337'
/** A network that every wallet has. Signing a message on it needs no node. */
export const ETHEREUM = 'eip155:1'
export const METHODS = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction']
export const EVENTS = ['accountsChanged', 'chainChanged']
export const asked = { optional: { eip155: { chains: [LOCAL, ETHEREUM], methods: METHODS, events: EVENTS } } }
/** Namespaces with a chain that this wallet does not support. */
const tooMuch = { eip155: { chains: ['eip155:99999'], methods: METHODS, events: EVENTS } }
export const askedTooMuch = { required: tooMuch, optional: tooMuch }

const TEXT = 'Grüße an alle 👋'
export const signText = { method: 'personal_sign', params: [hexlify(toUtf8Bytes(TEXT)), ADDRESS] }
export const expectTextSigned = async (answer: Promise<unknown>): Promise<void> =>
  expect(verifyMessage(TEXT, `${await answer}`)).toBe(ADDRESS)

const domain = { name: 'Post', version: '1', chainId: 31337, verifyingContract: `0x${'bb'.repeat(20)}` }
const types = {
  Mail: [
    { name: 'to', type: 'address' },
    { name: 'words', type: 'string' },
  ],
}
const mail = { to: SECOND, words: TEXT }
export const signMail = {
  method: 'eth_signTypedData_v4',
  params: [ADDRESS, JSON.stringify(TypedDataEncoder.getPayload(domain, types, mail))],
}
export const expectMailSigned = async (answer: Promise<unknown>): Promise<void> =>
  expect(verifyTypedData(domain, types, mail, `${await answer}`)).toBe(ADDRESS)

export const send = { method: 'eth_sendTransaction', params: [{ from: ADDRESS, to: SECOND, value: '0x1' }] }
/** Checks that the answer to `send` is the hash of a transaction of the chain at this URL. */
export const expectSent = async (answer: Promise<unknown>, url: string): Promise<void> => {
  const body = { id: 1, jsonrpc: '2.0', method: 'eth_getTransactionByHash', params: [await answer] }
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(await reply.json()).toMatchObject({ result: { value: '0x1', to: SECOND.toLowerCase() } })
}
