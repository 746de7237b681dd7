/** Preloaded into a process under test: on SIGUSR2, collects garbage and prints the free bytes of the heap. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

process.on('SIGUSR2', () => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapTotal, heapUsed } = process.memoryUsage()
  process.stdout.write(`room in the heap: ${heapTotal - heapUsed} bytes\n`)
})
