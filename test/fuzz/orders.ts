/**
 * Orders that give assets away for nothing, or for the benefit of another party. The signature alone lets an exchange
 * execute them.
 */
import { exchangeOrders } from './exchange-orders.ts'
import { marketplaceOrders } from './marketplace-orders.ts'
import { seaportOrders } from './seaport-orders.ts'
import type { Signing } from './signing.ts'

export const orders: [string, Signing][] = [...seaportOrders, ...marketplaceOrders, ...exchangeOrders]
