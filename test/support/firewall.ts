/** A program in a network of its own, whose firewall is `deploy/nftables.conf`. Linux only. */
import { spawnProgram } from './child.ts'

/** A port that is free, because nothing else runs in that network. */
const PORT = '5555'

/** Runs a script with the port as its argument. It is stopped when this process ends. */
export const spawnBehindFirewall = (script: string) => {
  const node = [process.execPath, '--import', 'tsx', script, PORT]
  return spawnProgram('unshare', ['--map-root-user', '--net', 'sh', 'test/support/behind-firewall.sh', PORT, ...node])
}
