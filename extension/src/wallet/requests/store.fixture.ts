/** Requests as the store keeps them. */
import { siteRequester } from '../sites/sites.ts'
import { ADDRESS, SITE } from '../wallet.fixture.ts'
import { keyOf, type WalletRequest } from './store.ts'

/** Creates an undecided request to sign a message. */
export const storedRequest = (changes: Partial<WalletRequest> = {}): WalletRequest => {
  const { origin = SITE } = changes
  return {
    key: keyOf(origin, '1'),
    requester: siteRequester(origin),
    origin,
    connected: true,
    tab: null,
    page: null,
    top: null,
    method: 'personal_sign',
    chainId: 1,
    revision: 0,
    createdAt: 0,
    account: ADDRESS,
    payload: null,
    effect: { kind: 'message', bytes: '0x', text: '', signedAs: 'Ethereum Signed Message', signIn: null },
    findings: [],
    decision: null,
    signed: null,
    ...changes,
  }
}
