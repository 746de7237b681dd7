/** Platforms of the image, with their names in Debian, Node and container engines. */

export type Platform = {
  /** Architecture as GOARCH, which container engines use. Debian has the same names. */
  architecture: 'amd64' | 'arm64'
  /** Folder of Debian's libraries. */
  triplet: string
  /** File name of the dynamic linker, and the path at which programs expect it. */
  linker: { name: string; path: string }
  /** File name of the servers' native code for Node 22, whose ABI version is 127. */
  native: string
}

const platforms: Readonly<Record<string, Platform>> = {
  x64: {
    architecture: 'amd64',
    triplet: 'x86_64-linux-gnu',
    linker: { name: 'ld-linux-x86-64.so.2', path: 'lib64/ld-linux-x86-64.so.2' },
    native: 'uws_linux_x64_127.node',
  },
  arm64: {
    architecture: 'arm64',
    triplet: 'aarch64-linux-gnu',
    linker: { name: 'ld-linux-aarch64.so.1', path: 'lib/ld-linux-aarch64.so.1' },
    native: 'uws_linux_arm64_127.node',
  },
}

/** Returns this machine's platform, whose packages apt can download. Throws Error if there is no image for it. */
export const thisPlatform = (): Platform => {
  const platform = process.platform === 'linux' ? platforms[process.arch] : undefined
  if (platform) return platform
  throw new Error(`there is no image for ${process.platform} on ${process.arch}: make it on Linux on x64 or arm64`)
}
