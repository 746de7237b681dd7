/** UI methods for values: prices, and the currency in which values are shown. */
import { rpcError } from '../text/errors.ts'
import type { Ui, UiParts } from './parts.ts'

export const createValuesUi = ({
  vault,
  prices,
  currency,
}: UiParts): Pick<Ui, 'getPrices' | 'getCurrencies' | 'setCurrency'> => ({
  getPrices: async ({ chainId }) => {
    await vault.read()
    return prices.on(chainId)
  },
  getCurrencies: async () => {
    await vault.read()
    return prices.currencies()
  },
  setCurrency: async ({ currency: code }) => {
    await vault.read()
    if (code !== null && !(await prices.currencies()).includes(code))
      throw rpcError('invalidParams', 'currencyNotOffered', { currency: code })
    await currency.update(() => code)
    return null
  },
})
