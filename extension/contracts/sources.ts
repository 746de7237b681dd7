/** All packages from which the catalogue is built. */
import { AAVE_SOURCES } from './sources/aave.ts'
import { BRIDGE_SOURCES } from './sources/bridges.ts'
import { COLLECTIBLE_SOURCES } from './sources/collectibles.ts'
import { EXCHANGE_SOURCES } from './sources/exchanges.ts'
import { LENDING_SOURCES } from './sources/lending.ts'
import { SAFE_SOURCES } from './sources/safe.ts'
import { SERVICE_SOURCES } from './sources/services.ts'
import type { Source } from './sources/source.ts'
import { TRADING_SOURCES } from './sources/trading.ts'
import { UNISWAP_SOURCES } from './sources/uniswap.ts'

/** Sources in order of precedence: the first name found for an address is kept. */
export const SOURCES: readonly Source[] = [
  ...UNISWAP_SOURCES,
  ...SAFE_SOURCES,
  ...AAVE_SOURCES,
  ...EXCHANGE_SOURCES,
  ...TRADING_SOURCES,
  ...LENDING_SOURCES,
  ...BRIDGE_SOURCES,
  ...COLLECTIBLE_SOURCES,
  ...SERVICE_SOURCES,
]
