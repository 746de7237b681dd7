/** Collects the contracts that are in no package. */
import type { Entry } from './entries.ts'
import { ACCOUNT_FACTS } from './facts/accounts.ts'
import { AGGREGATOR_FACTS } from './facts/aggregators.ts'
import { BRIDGE_FACTS } from './facts/bridges.ts'
import { EXCHANGE_FACTS } from './facts/exchanges.ts'
import { entriesOf } from './facts/fact.ts'
import { LENDING_FACTS } from './facts/lending.ts'
import { SERVICE_FACTS } from './facts/services.ts'
import { STAKING_FACTS } from './facts/staking.ts'
import { WRAPPED_FACTS } from './facts/wrapped.ts'

/** Entries from official documentation. */
export const FACTS: readonly Entry[] = entriesOf([
  ...WRAPPED_FACTS,
  ...ACCOUNT_FACTS,
  ...AGGREGATOR_FACTS,
  ...EXCHANGE_FACTS,
  ...LENDING_FACTS,
  ...STAKING_FACTS,
  ...BRIDGE_FACTS,
  ...SERVICE_FACTS,
])
