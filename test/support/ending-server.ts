/** A program with a server that starts and stops in the way that `--way` selects. */

import { row } from '@heliograph/shared/server/limits/rows'
import { integer, oneOf, processSources, text } from '@heliograph/shared/server/process/config'
import { run } from '@heliograph/shared/server/service/run'

const never = new Promise<never>(() => undefined)

const block = (milliseconds: number): void => {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

await run(
  {
    service: { name: 'Fixture', version: '1', prefix: 'FIXTURE' },
    rows: {
      stopSeconds: row('Seconds', 1, integer(1, 3600)),
      tlsCert: row('Certificate', '', text),
      way: row('Way', 'soon', oneOf('soon', 'hanging stop', 'blocked stop', 'hanging start')),
    },
    start: async ({ way }) => {
      // Keeps the process alive, as an open socket would.
      setInterval(() => undefined, 1000)
      if (way === 'hanging start') {
        process.stdout.write('starting\n')
        await never
      }
      return {
        url: 'nowhere',
        stop: async () => {
          process.stdout.write('stopping\n')
          if (way === 'hanging stop') await never
          if (way === 'blocked stop') block(60_000)
        },
      }
    },
  },
  processSources(),
)
