/** Catalogues that ship with the wallet and have a part for each network. */

/**
 * Reads a catalogue's file once, and converts each network's part on first use. `list` reads the file: rows by chain id.
 * A network without rows has an empty part.
 */
export const byNetwork = <Row, Part>(
  list: () => Promise<Readonly<Record<string, readonly Row[]>>>,
  convert: (rows: readonly Row[], chainId: number) => Part,
): ((chainId: number) => Promise<Part>) => {
  let reading: ReturnType<typeof list> | undefined
  const parts = new Map<number, Part>()
  return async chainId => {
    reading ??= list()
    const part = parts.get(chainId) ?? convert((await reading)[String(chainId)] ?? [], chainId)
    parts.set(chainId, part)
    return part
  }
}
