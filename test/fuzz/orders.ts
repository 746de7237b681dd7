/**
 * Orders that give something away for nothing, or in favour of someone else. An exchange needs only their signature.
 */
import { exchangeOrders } from './exchange-orders.ts'
import { marketplaceOrders } from './marketplace-orders.ts'
import { seaportOrders } from './seaport-orders.ts'
import type { Signing } from './signing.ts'

export const orders: [string, Signing][] = [...seaportOrders, ...marketplaceOrders, ...exchangeOrders]
