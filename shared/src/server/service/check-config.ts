/** `--check-config`: checks what can be checked without starting the server. Listens on no port and changes no file. */
import { type Config, type Row, type Rows, readConfig, type Sources } from '../process/config.ts'
import { refuseMissingRights } from '../redis/rights.ts'
import { refuseTransfer } from '../redis/transfer-note.ts'
import { checkDataFolder } from '../storage/store.ts'
import { refuseMoved } from '../transfer/folder-mark.ts'
import type { Service } from '../transport/service.ts'
import { type Certificate, readCertificate, refuseOutdated, type TlsFiles, tlsFiles } from '../transport/tls.ts'
import { checkSharedSigningKey, checkSigningKey } from '../webhooks/signing-key.ts'

/** Rows of both servers that the check needs. A bridge has no durability. */
export type CheckedRows = Rows & {
  dataDir: Row<string>
  tlsCert: Row<string>
  tlsKey: Row<string>
  redisUrl: Row<readonly string[]>
  redisReplicas: Row<number>
  durability?: Row<'process' | 'disk'>
}

/** `transfer.name` is the prefix of the keys in Redis. */
type Checked<R> = { service: Service; rows: R; transfer: { name: string } }

/** Throws the error with which a server would fail to start on this Redis. */
const checkRedis = async (
  urls: readonly [string, ...string[]],
  durability: 'process' | 'disk',
  prefix: string,
  replicas: number,
): Promise<void> => {
  const { openRedis } = await import('../redis/open.ts')
  const redis = await openRedis(urls, { durability })
  try {
    await refuseMissingRights(redis, prefix, replicas)
    await refuseTransfer(redis, prefix)
    await checkSharedSigningKey(redis, prefix)
  } finally {
    await redis.close()
  }
}

/**
 * Throws the error with which a server would fail to start with these files. If Node cannot load the server's native
 * code, Node's own TLS checks the files, which accepts more kinds of keys.
 */
const checkCertificate = async (files: TlsFiles, prefix: string): Promise<Certificate> => {
  const apps = await import('../transport/apps.ts').catch(() => undefined)
  return apps ? apps.checkCertificate(files, prefix) : readCertificate(files, prefix)
}

/**
 * Checks settings, certificates, data directory, signing key and Redis. Resolves with the exit code: 0, or 1 after a
 * line on standard error. The line is the error with which a start would fail, or says why every client would reject
 * the server.
 */
export const checkConfig = async <R extends CheckedRows>(
  { service: { name, prefix }, rows, transfer }: Checked<R>,
  sources: Sources,
): Promise<number> => {
  try {
    const config = readConfig(prefix, rows, sources) as Config<CheckedRows>
    const { dataDir, durability = 'process', redisReplicas } = config
    const [first, ...others] = config.redisUrl
    const files = tlsFiles(config, prefix)
    if (files) refuseOutdated(await checkCertificate(files, prefix), files, prefix, Date.now())
    if (first === undefined) refuseMoved(dataDir)
    checkDataFolder(dataDir)
    checkSigningKey(dataDir)
    if (first !== undefined) await checkRedis([first, ...others], durability, transfer.name, redisReplicas)
    process.stdout.write('the configuration is valid\n')
    return 0
  } catch (thrown) {
    process.stderr.write(`${name}: ${thrown instanceof Error ? thrown.message : thrown}\n`)
    return 1
  }
}
