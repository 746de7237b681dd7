import { expect, test } from 'vitest'
import { nameIn } from './names.ts'

const MIRA = '0x1f37d85FB2c3fB9bb4CfAB9324B4E52465E8B1b6'
const OWN = '0xe13Ab247E259a12ad1323A8FE3A3448639C8e408'
const state = {
  accounts: [{ address: OWN, name: 'Trading', kind: 'phrase' as const, phraseId: '1' }],
  contacts: [
    { address: MIRA, name: 'Mira' },
    { address: OWN, name: 'Not mine' },
  ],
}

test('names of accounts and contacts are found in any letter case; own accounts come first', () => {
  expect(nameIn(state, MIRA.toLowerCase())).toEqual({ name: 'Mira', as: 'contact' })
  expect(nameIn(state, OWN.toLowerCase())).toEqual({ name: 'Trading', as: 'account' })
  expect(nameIn(state, `${MIRA.slice(0, -1)}7`)).toBeUndefined()
})
