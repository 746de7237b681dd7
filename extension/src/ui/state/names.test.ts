import { expect, test } from 'vitest'
import { request } from '../../../../test/screens/fixtures/effects.ts'
import { type PartyView, PERMIT2 } from '../../messages.ts'
import { nameIn } from './names.ts'

const MIRA = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'
const OWN = '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408'
const WATCHED = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const PERMIT2_PARTY: PartyView = { address: PERMIT2, kind: 'known', name: 'Uniswap', what: 'Permit2', role: 'permit' }
const STRANGER: PartyView = { address: `0x${'5'.repeat(40)}`, kind: 'contract', name: null }
const state = {
  accounts: [
    { address: OWN, name: 'Trading', kind: 'phrase' as const, phraseId: '1' },
    { address: WATCHED, name: 'Hoard', kind: 'watchOnly' as const, phraseId: null },
  ],
  requests: [request({ kind: 'unlock' }, { parties: [PERMIT2_PARTY, { ...PERMIT2_PARTY, address: MIRA }, STRANGER] })],
  contacts: [
    { address: MIRA, name: 'Mira' },
    { address: OWN, name: 'Not mine' },
  ],
}

test('names of accounts and contacts are found in any letter case; own accounts come first', () => {
  expect(nameIn(state, MIRA.toLowerCase())).toEqual({ name: 'Mira', as: 'contact' })
  expect(nameIn(state, OWN.toLowerCase())).toEqual({ name: 'Trading', as: 'account' })
  expect(nameIn(state, `${MIRA.slice(0, -1)}7`)).toBeUndefined()
  expect(nameIn(state, WATCHED)).toEqual({ name: 'Hoard', as: 'watched' })
  expect(nameIn(state, PERMIT2.toLowerCase())).toEqual({ name: 'Uniswap (Permit2)', as: 'known' })
  expect(nameIn(state, STRANGER.address)).toBeUndefined()
})
