/** Creates passkeys, and detects whether this page could. */
import type { PasskeyOutput } from '../../messages.ts'
import type { TextKey } from '../format/text.ts'
import { credentialsOf, hasPasskeys, outputOf, PasskeyError, PRF, randomBytes, usePasskey } from './passkeys.ts'

/** COSE algorithms that authenticators have: ES256, EdDSA, RS256. The wallet does not use their signatures. */
const ALGORITHMS = [-7, -8, -257]

/** Members of `PublicKeyCredential` that older browsers lack. */
const optional: Partial<typeof PublicKeyCredential> = hasPasskeys() ? PublicKeyCredential : {}

/** The id of a credential that no authenticator has. */
const NO_CREDENTIAL = 'A'.repeat(22)

/**
 * True if pages of this origin can have passkeys. Firefox refuses them to pages of extensions, but only when one is
 * created. This method has the same rule, and asks the user nothing: it tells authenticators that a credential is gone.
 */
const isOriginAllowed = async (): Promise<boolean> => {
  if (!optional.signalUnknownCredential) return false
  return optional.signalUnknownCredential({ rpId: location.hostname, credentialId: NO_CREDENTIAL }).then(
    () => true,
    () => false,
  )
}

/** True if the browser can create passkeys with PRF for this page. Does not ask the user. */
export const canCreatePasskeys = async (): Promise<boolean> => {
  const capabilities = await optional.getClientCapabilities?.()
  return capabilities?.['extension:prf'] === true && isOriginAllowed()
}

const nameOf = (error: unknown): string => (error instanceof DOMException ? error.name : '')

const FAILURES: Readonly<Record<string, TextKey>> = {
  InvalidStateError: 'passkeyAlready',
  NotAllowedError: 'passkeyNotCreated',
}

/**
 * Creates a passkey with PRF on an authenticator that has none of `existing`, and returns its output. Authenticators that
 * give no output at creation are asked again. Throws PasskeyError.
 */
export const createPasskey = async (name: string, existing: readonly string[]): Promise<PasskeyOutput> => {
  const asked = navigator.credentials.create({
    publicKey: {
      rp: { name: 'Heliograph' },
      // A new user for each passkey, because an authenticator has at most one passkey for a user.
      user: { id: randomBytes(), name, displayName: name },
      challenge: randomBytes(),
      pubKeyCredParams: ALGORITHMS.map(alg => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      excludeCredentials: credentialsOf(existing),
      extensions: PRF,
    },
  })
  const created = (await asked.catch(error => {
    throw new PasskeyError(FAILURES[nameOf(error)] ?? 'passkeysUnavailable')
  })) as PublicKeyCredential
  const { prf } = created.getClientExtensionResults()
  if (!prf?.enabled) throw new PasskeyError('passkeyHasNoPrf')
  return prf.results ? outputOf(created) : usePasskey([created.id])
}
