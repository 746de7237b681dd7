/** The Debian 12 packages whose libraries are in the image, each pinned by version and hash. */
import type { Platform } from './platform.ts'

/** A pinned package. `files` maps paths in the image to paths in the package. */
export type Pinned = {
  name: string
  version: string
  /**
   * SPDX expression of the files that are taken from the package. The files named `copyright` have the licence texts.
   */
  licence: string
  sha256: Readonly<Record<Platform['architecture'], string>>
  files: (platform: Platform) => Readonly<Record<string, string>>
}

/** Paths that are the same in the package and in the image. */
const same = (...paths: readonly string[]): Record<string, string> =>
  Object.fromEntries(paths.map(path => [path, path]))

/** Licence of the compiler's libraries. Its exception lets programs under any licence use them. */
const GCC = 'GPL-3.0-or-later WITH GCC-exception-3.1'

/**
 * The packages. CA certificates are not among them: Node has its own, and the variable NODE_EXTRA_CA_CERTS adds others.
 */
export const distribution: readonly Pinned[] = [
  {
    name: 'libc6',
    version: '2.36-9+deb12u14',
    licence: 'LGPL-2.1-or-later',
    sha256: {
      amd64: 'ba4f88f73dbc3ae9055f3c20f4523bfdbaf1ad13ff95e258924f77d20b4fbedf',
      arm64: '01f4330719fd4f65580e16ea5a0527f372fca750e8f588d26deaf09f2d3b1cf4',
    },
    files: ({ triplet, linker }) => ({
      [linker.path]: `lib/${triplet}/${linker.name}`,
      ...same(
        ...['libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0'].map(name => `lib/${triplet}/${name}`),
        'usr/share/doc/libc6/copyright',
      ),
    }),
  },
  {
    name: 'libgcc-s1',
    version: '12.2.0-14+deb12u1',
    licence: GCC,
    sha256: {
      amd64: '3016e62cb4b7cd8038822870601f5ed131befe942774d0f745622cc77d8a88f7',
      arm64: '576926b283613db80168ddf76380a3bd877602778cf0d226caa7bfbfa71eacf3',
    },
    files: ({ triplet }) => same(`lib/${triplet}/libgcc_s.so.1`),
  },
  {
    name: 'libstdc++6',
    version: '12.2.0-14+deb12u1',
    licence: GCC,
    sha256: {
      amd64: '5cd3171216d4ab0fc911cfe9c35509bf2dd8f47761c43b7f6a4296701551a24d',
      arm64: '26e138c677a985775331373828a6c286c551ff397cb735d00e2383cb273d1cb2',
    },
    files: ({ triplet }) => ({
      [`usr/lib/${triplet}/libstdc++.so.6`]: `usr/lib/${triplet}/libstdc++.so.6.0.30`,
    }),
  },
  {
    // This package contains the licence text of the two packages above.
    name: 'gcc-12-base',
    version: '12.2.0-14+deb12u1',
    licence: GCC,
    sha256: {
      amd64: '1896a2aacf4ad681ff5eacc24a5b0ca4d5d9c9b9c9e4b6de5197bc1e116ea619',
      arm64: '674cf6cba6d432bd200c45fe866c1652c7a53523cc2e7a613e05bc4abf7b5440',
    },
    files: () => same('usr/share/doc/gcc-12-base/copyright'),
  },
]
