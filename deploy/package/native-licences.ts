/** Returns the licences of the servers' native code. The package uws-pack lacks their texts, so native/ has them. */
import { readFileSync } from 'node:fs'

/** A library that is linked into the native code. `source` is the URL from which its licence was copied unchanged. */
export type Linked = { name: string; file: string; source: string }

const BORINGSSL = 'https://github.com/google/boringssl/blob/9d479673ccd027eaee60e4c382ed4a463d471a96'
const LSQUIC = 'https://github.com/litespeedtech/lsquic/blob/v3.3.0'

/**
 * uws-pack does not name the commits that it contains. Its BoringSSL is from before the licence change of December
 * 2023.
 */
export const linked: readonly Linked[] = [
  { name: 'BoringSSL', file: 'boringssl.txt', source: `${BORINGSSL}/LICENSE` },
  { name: 'lsquic', file: 'lsquic.txt', source: `${LSQUIC}/LICENSE` },
  { name: 'proto-quic, in lsquic', file: 'proto-quic.txt', source: `${LSQUIC}/LICENSE.chrome` },
  { name: 'xxHash, in lsquic', file: 'xxhash.txt', source: `${LSQUIC}/src/liblsquic/lsquic_xxhash.h` },
  {
    name: 'ls-hpack, in lsquic',
    file: 'ls-hpack.txt',
    source: 'https://github.com/litespeedtech/ls-hpack/blob/868e25b97314ebf7c4dfafb0ff7804c32642b604/LICENSE',
  },
  {
    name: 'ls-qpack, in lsquic',
    file: 'ls-qpack.txt',
    source: 'https://github.com/litespeedtech/ls-qpack/blob/0b33c64ee8cb90ac32d4bf6152c406fc27016394/LICENSE',
  },
  {
    name: 'any_invocable, in uWebSockets',
    file: 'any-invocable.txt',
    source:
      'https://github.com/uNetworking/uWebSockets/blob/600e7fe0faf74fb54722720a6d2e3f545d99f548/src/MoveOnlyFunction.h',
  },
]

const INTRODUCTION = `The files in bin/ are uWebSockets.js, uWebSockets and uSockets by Alex Hultman and contributors
(https://github.com/uNetworking/uWebSockets.js), under the Apache License 2.0, whose text is in LICENSE. They are
unchanged from the package uws-pack. zlib and libuv come from Node. On Linux, the C++ library of GCC is linked into
them, under the GNU General Public License 3 with the GCC Runtime Library Exception. Everything else that is linked into
them follows, each part with its licence.`

const textOf = ({ name, file, source }: Linked): string => {
  const text = readFileSync(new URL(`native/${file}`, import.meta.url), 'utf8')
  return `${name}: ${source}\n\n${text.trim()}`
}

/** Returns the texts, each with its title. */
export const nativeLicences = (): string[] => [INTRODUCTION, ...linked.map(textOf)]
