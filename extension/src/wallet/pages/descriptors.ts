/** UI methods for ERC-7730 descriptors of contracts. */
import { parseUrl } from '@heliograph/shared/url'
import type { DescriptorView } from '../../messages.ts'
import { cutText, type Descriptor, MAX_DESCRIPTORS_SIZE } from '../descriptors/descriptor.ts'
import { parseDescriptors } from '../descriptors/descriptor-json.ts'
import { fail, rpcError } from '../text/errors.ts'
import type { Ui, UiParts } from './parts.ts'

type DescriptorMethod = 'getDescriptors' | 'addDescriptors' | 'downloadDescriptors' | 'removeDescriptor'

const formatsOf = (descriptor: Descriptor): string[] =>
  descriptor.kind === 'calls' ? descriptor.formats.map(({ text }) => text) : descriptor.formats.map(({ type }) => type)

const viewOf = (descriptor: Descriptor): DescriptorView => {
  const { id, source, owner, addedAt, deployments } = descriptor
  return { id, source, owner, addedAt, contracts: deployments, formats: formatsOf(descriptor) }
}

/** Parses a URL. Throws -32602 for anything but an https URL without credentials. */
const toUrl = (text: string): URL => {
  const url = parseUrl(text.trim())
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw rpcError('invalidParams', 'notDescriptorUrl')
  return url
}

export const createDescriptorsUi = ({ vault, descriptors, download }: UiParts): Pick<Ui, DescriptorMethod> => {
  const read = async ({ href, host }: URL): Promise<string> => {
    const bytes = await download(href, MAX_DESCRIPTORS_SIZE).catch(() => {
      throw rpcError('invalidParams', 'descriptorUnreachable', { host })
    })
    return bytes
      ? new TextDecoder().decode(bytes)
      : fail('descriptors', host, 'descriptorTooLong', { limit: MAX_DESCRIPTORS_SIZE })
  }

  return {
    getDescriptors: async () => {
      await vault.read()
      return (await descriptors.list()).toReversed().map(viewOf)
    },
    addDescriptors: async ({ json, fileName }) => {
      await vault.read()
      return descriptors.add(parseDescriptors(json), cutText(fileName.trim()) || '?')
    },
    downloadDescriptors: async ({ url }) => {
      await vault.read()
      const from = toUrl(url)
      return descriptors.add(parseDescriptors(await read(from)), from.host)
    },
    removeDescriptor: async ({ id }) => {
      await vault.read()
      await descriptors.remove(id)
      return null
    },
  }
}
