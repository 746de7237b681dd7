/** UI methods for passkeys, which unlock the wallet beside the password. */
import type { PasskeyView } from '../../messages.ts'
import { passkeysOf, toPasskeyName, withoutPasskey, withPasskey } from '../keys/passkey-changes.ts'
import { type Passkey, type PasskeyProof, passkeyOf, toProof } from '../keys/passkey-wraps.ts'
import type { Ui, UiParts } from './parts.ts'

const passkeyView = ({ id, name, createdAt }: Passkey): PasskeyView => ({ id, name, createdAt })

/** Calls `use` with the proof from a page, then wipes the passkey's output. */
export const withProof = async <T>(
  given: { id: string; output: string },
  use: (proof: PasskeyProof) => Promise<T>,
): Promise<T> => {
  const proof = toProof(given)
  try {
    return await use(proof)
  } finally {
    proof.output.fill(0)
  }
}

export const createPasskeysUi = ({
  vault,
  now,
}: UiParts): Pick<Ui, 'getPasskeys' | 'confirmPassword' | 'addPasskey' | 'removePasskey'> => ({
  getPasskeys: async () => passkeysOf(await vault.read()).map(passkeyView),
  confirmPassword: async ({ password }) => {
    await vault.confirm(password)
    return null
  },
  addPasskey: async ({ password, name, ...given }) => {
    const passkey = await withProof(given, async proof => passkeyOf(proof, toPasskeyName(name), now()))
    await vault.confirm(password)
    await vault.update(secrets => withPasskey(secrets, passkey))
    return null
  },
  removePasskey: async ({ password, id }) => {
    await vault.rekey(password, secrets => withoutPasskey(secrets, id))
    return null
  },
})
