/**
 * The section of settings. Settings that every new wallet has are not saved. A setting that makes the wallet less strict is
 * never taken over without the user's choice.
 */
import * as v from 'valibot'
import type { BackupItem, SafetyView, SettingItem } from '../../messages.ts'
import { toGateway } from '../collectibles/gateways.ts'
import { DEFAULT_AUTO_LOCK, DEFAULT_SAFETY, MAX_AUTO_LOCK } from '../keys/safety.ts'
import { type Context, plain, type Section } from './section.ts'

type SettingName = SettingItem['name']

const MAX_URL = 2_048

const SAFETY = Object.keys(DEFAULT_SAFETY) as readonly (keyof SafetyView)[]

/** Values of a new wallet. The others are absent there. */
const USUAL: Readonly<Partial<Record<SettingName, SettingItem['value']>>> = {
  ...DEFAULT_SAFETY,
  autoLock: DEFAULT_AUTO_LOCK,
  networkOrder: 'added',
  looksByItself: true,
}

const isSafety = (item: SettingItem): item is Extract<SettingItem, { name: keyof SafetyView }> =>
  (SAFETY as readonly string[]).includes(item.name)

/** True if an import of these items asks for the password, if the user requires it. */
export const assertsPassword = (items: readonly BackupItem[]): boolean =>
  items.some(item => item.section === 'settings' && isSafety(item.value))

/** Orders the values of a setting that has a strict side: a higher number is less strict. */
const laxity = ({ name, value }: SettingItem): number => {
  if (name === 'autoLock') return value
  if (name === 'asksPassword') return value ? 0 : 1
  return name === 'allowsUnreadable' || name === 'allowsForeignSignIn' || name === 'readsOffchainNames'
    ? Number(value)
    : 0
}

const gateway = v.pipe(v.string(), v.maxLength(MAX_URL), v.minLength(1))

export const settings: Section<'settings'> = {
  name: 'settings',
  schema: v.variant('name', [
    v.object({
      name: v.literal('autoLock'),
      value: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_AUTO_LOCK)),
    }),
    v.object({ name: v.literal('currency'), value: v.pipe(v.string(), v.regex(/^[A-Z]{3,5}$/)) }),
    v.object({ name: v.picklist(['ipfsGateway', 'arweaveGateway']), value: gateway }),
    v.object({ name: v.literal('networkOrder'), value: v.picklist(['added', 'name', 'chainId']) }),
    v.object({
      name: v.picklist([
        'looksByItself',
        'asksPassword',
        'allowsUnreadable',
        'allowsForeignSignIn',
        'readsOffchainNames',
      ]),
      value: v.boolean(),
    }),
  ]),
  idOf: ({ name }) => name,
  read: async ({ autoLock, safety, currency, gateways, looksByItself, networks }) => {
    const { ipfs, arweave } = await gateways.read()
    const code = await currency.read()
    const safe = await safety.read()
    return [
      { name: 'autoLock', value: await autoLock.minutes() },
      ...(code === null ? [] : [{ name: 'currency' as const, value: code }]),
      ...(ipfs === null ? [] : [{ name: 'ipfsGateway' as const, value: ipfs }]),
      ...(arweave === null ? [] : [{ name: 'arweaveGateway' as const, value: arweave }]),
      { name: 'networkOrder', value: (await networks.shown()).order },
      { name: 'looksByItself', value: await looksByItself.read() },
      ...SAFETY.map(name => ({ name, value: safe[name] })),
    ]
  },
  isUsual: ({ name, value }) => value === USUAL[name],
  isLaxer: (value, known) => laxity(value) > (known ? laxity(known) : 0),
  fitting: () => item => {
    if (item.name !== 'ipfsGateway' && item.name !== 'arweaveGateway') return plain(item)
    return plain({ ...item, value: toGateway(item.value) ?? '' })
  },
  write: async (context, items) => {
    for (const item of items.filter(one => !isSafety(one))) await set(context, item)
    const safety = Object.fromEntries(items.filter(isSafety).map(({ name, value }) => [name, value]))
    if (Object.keys(safety).length > 0)
      await context.parts.safety.change({
        ...safety,
        ...(context.password !== undefined && { password: context.password }),
      })
  },
}

const set = async ({ parts }: Context, { name, value }: SettingItem): Promise<void> => {
  switch (name) {
    case 'autoLock':
      return parts.autoLock.setMinutes(value)
    case 'networkOrder':
      return parts.networks.setOrder(value)
    case 'currency':
      return void (await parts.currency.update(() => value))
    case 'ipfsGateway':
      return void (await parts.gateways.update(known => ({ ...known, ipfs: value })))
    case 'arweaveGateway':
      return void (await parts.gateways.update(known => ({ ...known, arweave: value })))
    case 'looksByItself':
      return void (await parts.looksByItself.update(() => value))
    default:
      throw new Error(`${name} is a safety setting`)
  }
}
