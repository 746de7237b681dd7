/** Checks that the Dockerfile and the image that `npm run image` makes start the same container. */
import { expect, test } from 'vitest'
import { configOf } from '../../deploy/image/config.ts'
import { read } from './sources.ts'

/** The instructions of the last stage, with continued lines joined. */
const stage = read('Dockerfile')
  .replace(/\\\n\s*/g, '')
  .split(/^FROM .*\n/m)
  .at(-1)
const instruction = (name: string): string => {
  const found = [...(stage ?? '').matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].map(([, rest = '']) => rest)
  if (found.length !== 1) throw new Error(`the Dockerfile has ${found.length} instructions ${name}`)
  return found[0] ?? ''
}
const config = configOf('0.0.0')
const seconds = (nanoseconds: number): string => `${nanoseconds / 1_000_000_000}s`

test('the user, the environment, the command, the volume and the port are the same', () => {
  expect(config.User).toBe(instruction('USER'))
  expect(config.Env).toEqual(instruction('ENV').split(' '))
  expect([instruction('ENTRYPOINT'), config.Cmd]).toEqual(['[]', JSON.parse(instruction('CMD'))])
  expect(Object.keys(config.Volumes)).toEqual([instruction('VOLUME')])
  expect(Object.keys(config.ExposedPorts)).toEqual([`${instruction('EXPOSE')}/tcp`])
})

test('the health check is the same', () => {
  const { Test, Interval, Timeout, StartPeriod } = config.Healthcheck
  const times = `--interval=${seconds(Interval)} --timeout=${seconds(Timeout)} --start-period=${seconds(StartPeriod)}`
  const [type, ...command] = Test
  expect([type, instruction('HEALTHCHECK')]).toEqual([
    'CMD',
    `${times} CMD ${JSON.stringify(command).replaceAll('","', '", "')}`,
  ])
})

test('in both, the data folder belongs to the user and is inaccessible to others', () => {
  const user = instruction('USER')
  expect(instruction('RUN')).toBe(`install --directory --owner=${user} --group=${user} --mode=700 /data`)
})
