/** Sign-in messages: https://eips.ethereum.org/EIPS/eip-4361 */
import { hexlify, toUtf8Bytes } from 'ethers'
import { NOW } from '../../extension/src/wallet/wallet.fixture.ts'
import { ACCOUNT } from './addresses.ts'

/** Returns the bytes of a sign-in to a site, as hex. */
export const signInTo = (domain: string): string =>
  hexlify(
    toUtf8Bytes(
      [
        `${domain} wants you to sign in with your Ethereum account:`,
        ACCOUNT,
        '',
        `Sign in to ${domain}.`,
        '',
        `URI: https://${domain}/login`,
        'Version: 1',
        'Chain ID: 1',
        'Nonce: 8fk3Lq02Zx7vTn1c',
        `Issued At: ${new Date(NOW).toISOString()}`,
      ].join('\n'),
    ),
  )
