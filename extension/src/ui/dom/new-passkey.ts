/** Creates passkeys, and detects whether this page could. */
import type { PasskeyOutput } from '../../messages.ts'
import type { TextKey } from '../format/text.ts'
import { credentialsOf, hasPasskeys, outputOf, PasskeyError, PRF, randomBytes, usePasskey } from './passkeys.ts'

/** COSE algorithms that authenticators have: ES256, EdDSA, RS256. The wallet does not use their signatures. */
const ALGORITHMS = [-7, -8, -257]

const optionsFor = (name: string): PublicKeyCredentialCreationOptions => ({
  rp: { name: 'Heliograph' },
  // A new user for each passkey, because an authenticator has at most one passkey for a user.
  user: { id: randomBytes(), name, displayName: name },
  challenge: randomBytes(),
  pubKeyCredParams: ALGORITHMS.map(alg => ({ type: 'public-key', alg })),
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  extensions: PRF,
})

const nameOf = (error: unknown): string => (error instanceof DOMException ? error.name : '')

/**
 * True if the page's origin can have passkeys. A browser checks the origin before the type of the credential, and asks
 * the user only after both. So it refuses a credential of an unknown type with NotSupportedError, and an origin with
 * SecurityError.
 */
const isOriginAllowed = async (): Promise<boolean> => {
  const pubKeyCredParams = [{ type: 'none' as 'public-key', alg: 0 }]
  try {
    await navigator.credentials.create({ publicKey: { ...optionsFor('none'), pubKeyCredParams } })
    return false
  } catch (error) {
    return nameOf(error) === 'NotSupportedError'
  }
}

/**
 * True if the browser can create passkeys for this page. Does not ask the user. Browsers without `getClientCapabilities`
 * may lack PRF, which `createPasskey` then finds out.
 */
export const canCreatePasskeys = async (): Promise<boolean> => {
  if (!hasPasskeys()) return false
  const capabilities = await (PublicKeyCredential as Partial<typeof PublicKeyCredential>).getClientCapabilities?.()
  return capabilities?.['extension:prf'] !== false && isOriginAllowed()
}

const FAILURES: Readonly<Record<string, TextKey>> = {
  InvalidStateError: 'passkeyAlready',
  NotAllowedError: 'passkeyNotCreated',
}

/**
 * Creates a passkey with PRF on an authenticator that has none of `existing`, and returns its output. Authenticators that
 * give no output at creation are asked again. Throws PasskeyError.
 */
export const createPasskey = async (name: string, existing: readonly string[]): Promise<PasskeyOutput> => {
  const options = { ...optionsFor(name), excludeCredentials: credentialsOf(existing) }
  const created = (await navigator.credentials.create({ publicKey: options }).catch(error => {
    throw new PasskeyError(FAILURES[nameOf(error)] ?? 'passkeysUnavailable')
  })) as PublicKeyCredential
  const { prf } = created.getClientExtensionResults()
  if (!prf?.enabled) throw new PasskeyError('passkeyHasNoPrf')
  return prf.results ? outputOf(created) : usePasskey([created.id])
}
