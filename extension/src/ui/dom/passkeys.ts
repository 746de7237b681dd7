/**
 * Uses passkeys (WebAuthn Level 3) for the output of their PRF, from which the wallet derives a key. Nothing is signed
 * in, so challenges and signatures have no meaning. The relying party is the extension: its id is the default `rpId`.
 */
import type { PasskeyOutput } from '../../messages.ts'
import type { TextKey } from '../format/text.ts'

/** The PRF's input. It is constant, because each passkey has its own function. Another input gives another key. */
const INPUT = new TextEncoder().encode('heliograph vault key 1')

export const PRF = { prf: { eval: { first: INPUT } } }

/** Why a passkey gave no output. */
export class PasskeyError extends Error {
  override name = 'PasskeyError'
  readonly key: TextKey

  constructor(key: TextKey) {
    super(key)
    this.key = key
  }
}

/** True if the browser has WebAuthn on this page. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis

export const randomBytes = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(32))

/** Returns a list of credentials from their ids, which are base64url. */
export const credentialsOf = (ids: readonly string[]): PublicKeyCredentialDescriptor[] =>
  ids.map(id => ({
    type: 'public-key',
    id: Uint8Array.from(atob(id.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0)),
  }))

/** Returns the PRF's output of a credential. Throws PasskeyError if there is none. */
export const outputOf = (credential: PublicKeyCredential): PasskeyOutput => {
  const output = credential.getClientExtensionResults().prf?.results?.first
  if (!output) throw new PasskeyError('passkeyGaveNoKey')
  const bytes = new Uint8Array(output as ArrayBuffer)
  return { id: credential.id, output: Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('') }
}

/**
 * Asks the user for one of these passkeys, given by their credential ids. Throws PasskeyError. The browser gives the same
 * error whether the user cancelled or no device has any of them.
 */
export const usePasskey = async (ids: readonly string[]): Promise<PasskeyOutput> => {
  const asked = navigator.credentials.get({
    publicKey: {
      challenge: randomBytes(),
      allowCredentials: credentialsOf(ids),
      // The PRF has a different output without it.
      userVerification: 'required',
      extensions: PRF,
    },
  })
  const credential = await asked.catch(() => {
    throw new PasskeyError('passkeyNotUsed')
  })
  return outputOf(credential as PublicKeyCredential)
}
