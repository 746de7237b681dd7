import { afterEach, expect, test, vi } from 'vitest'
import {
  byteLength,
  decimalSign,
  formatBalance,
  formatBytes,
  formatCount,
  formatExact,
  formatFee,
  formatPercent,
  NO_BREAK_SPACE,
  parseAmount,
  parseUnits,
  printUnits,
  withUnit,
} from './numbers.ts'

const parts = new Intl.NumberFormat().formatToParts(1234567.5)
const symbolOf = (type: string) => parts.find(part => part.type === type)?.value ?? ''
/** Returns the number in English digits and separators, whatever the machine's locale. */
const plain = (formatted: string) => formatted.replaceAll(symbolOf('group'), ',').replace(symbolOf('decimal'), '.')

const ETHER = 10n ** 18n

test('a balance is truncated to four decimals, never rounded up', () => {
  expect(plain(formatBalance(3_841_299_999n * 10n ** 9n, 18))).toBe('3.8412')
  expect(plain(formatBalance(ETHER - 1n, 18))).toBe('0.9999')
  expect(plain(formatBalance(1_250_000_000n, 6))).toBe('1,250.00')
  expect(plain(formatBalance(ETHER, 18))).toBe('1.0000')
})

test('zero is 0, and tiny amounts are shown as less than the last digit', () => {
  expect(formatBalance(0n, 18)).toBe('0')
  expect(plain(formatBalance(1n, 18))).toBe('<0.0001')
  expect(plain(formatBalance(1n, 6))).toBe('<0.01')
  expect(plain(formatBalance(7n, 0))).toBe('7')
})

test('a fee is rounded up', () => {
  expect(plain(formatFee(410_000_000_000_000n, 18))).toBe('0.00041')
  expect(plain(formatFee(410_000_000_000_001n, 18))).toBe('0.000411')
  expect(plain(formatFee(1n, 18))).toBe('<0.000001')
  expect(formatFee(0n, 18)).toBe('0')
})

test('a fee above any balance is shown in short form', () => {
  expect(plain(formatFee(10n ** 33n, 18))).toBe('1,000,000,000,000,000')
  expect(plain(formatFee(2n ** 256n, 18))).toBe('>1,000,000,000,000,000')
})

test('a requested amount keeps every digit', () => {
  expect(plain(formatExact(ETHER / 2n, 18))).toBe('0.5')
  expect(plain(formatExact(1n, 18))).toBe('0.000000000000000001')
  expect(plain(formatExact(2n ** 256n - 1n, 0)).replaceAll(',', '')).toBe((2n ** 256n - 1n).toString())
  expect(plain(formatExact(1_234_567_891_234_567_891_234n, 18))).toBe('1,234.567891234567891234')
})

test('units stay with their number, and counts have digit grouping', () => {
  expect(withUnit('0.5', 'ETH')).toBe(`0.5${NO_BREAK_SPACE}ETH`)
  expect(plain(formatCount(6214))).toBe('6,214')
  expect(plain(formatBytes(6214))).toBe('6,214 bytes')
  expect(formatBytes(1)).toBe('1 byte')
  expect(byteLength('0x')).toBe(0)
  expect(byteLength('0x0102')).toBe(2)
})

test('digits of other scripts are accepted in an amount', () => {
  expect(parseAmount('١٢٫٥', 6)).toBe(12_500_000n)
  expect(parseAmount('۰.۲۵', 2)).toBe(25n)
  expect(parseAmount('１．０３', 2)).toBe(103n)
  expect(parseAmount('१', 2)).toBeNull()
})

test('an amount is parsed to the last digit; other text is refused', () => {
  expect(parseAmount('0.5', 18)).toBe(5n * 10n ** 17n)
  expect(parseAmount(' 1,25 ', 6)).toBe(1_250_000n)
  expect(parseAmount('.1', 1)).toBe(1n)
  expect(parseAmount('7.', 0)).toBe(7n)
  expect(parseAmount('0.000000000000000001', 18)).toBe(1n)
  for (const text of ['', '.', '-1', '1e3', '0x1', '1.2.3', '1 000', '0.1234567', '1,000.5'])
    expect(parseAmount(text, 6)).toBeNull()
})

test('typed amounts become units, with a point or a comma', () => {
  expect(parseUnits('250', 6)).toBe('250000000')
  expect(parseUnits(' 0.5 ', 18)).toBe('500000000000000000')
  expect(parseUnits('1,25', 2)).toBe('125')
  expect(parseUnits('.5', 1)).toBe('5')
  expect(parseUnits('7', 0)).toBe('7')
})

test('other text is not an amount', () => {
  for (const typed of ['', '.', '1.234', '-1', '1e3', '0x1', '1 000', '१'])
    expect(parseUnits(typed, 2), typed).toBeUndefined()
})

test('units are printed as a user types them', () => {
  for (const [units, decimals, typed] of [
    ['250000000', 6, '250'],
    ['500000', 6, '0.5'],
    ['7', 0, '7'],
    ['0', 18, '0'],
  ] as const) {
    expect(printUnits(units, decimals)).toBe(typed.replace('.', decimalSign()))
    expect(parseUnits(typed, decimals)).toBe(units)
  }
})

afterEach(() => void vi.unstubAllGlobals())

test.each(['ar-EG', 'fa', 'mr'])(
  'with the locale %s, numbers have the digits 0 to 9 and can be typed again',
  locale => {
    const inLocale = class extends Intl.NumberFormat {
      constructor(locales?: Intl.LocalesArgument, options?: Intl.NumberFormatOptions) {
        super(locales ?? locale, options)
      }
    }
    vi.stubGlobal('Intl', Object.create(Intl, { NumberFormat: { value: inLocale } }))
    expect(new Intl.NumberFormat().format(12)).not.toContain('12')
    const shown = [formatExact(12n, 0), formatBalance(12n, 0), formatFee(12n, 0), formatCount(12), formatPercent(0.12)]
    for (const text of [...shown, formatBytes(12), `${formatFee(1n, 12)}2`]) expect(text).toMatch(/12/)
    expect(printUnits('1250', 3)).toBe('1.25')
    expect(parseUnits(printUnits('1250', 3), 3)).toBe('1250')
  },
)
