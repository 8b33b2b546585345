import type { AccountOrder, Route } from '@cofre/provider-kit/account'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { prepareSimulatorAccounts } from './simulator-accounts.js'

const STORE = { storeId: 'test-store', log: pino({ enabled: false }), nowMs: 1 }

/** Prepares a store without accounts. Returns the brands that are ordered afterwards. */
async function orderedBrands(before: readonly string[]): Promise<readonly string[]> {
  const ordered = ({ method, brand }: Pick<Route, 'method' | 'brand'>, ids: readonly string[]) => ({
    merchantId: STORE.storeId,
    method,
    brand,
    ids,
    routesDeclines: false,
  })
  const orders: AccountOrder[] = before.map((brand) => ordered({ method: 'card', brand }, []))
  const accounts = {
    list: () => Promise.resolve([]),
    create: () => Promise.resolve(true),
    orders: () => Promise.resolve(orders),
    order(route: Route, ids: readonly string[]) {
      orders.push(ordered(route, ids))
      return Promise.resolve(ids)
    },
  }
  await prepareSimulatorAccounts('card', { ...STORE, accounts })
  return orders.map(({ brand }) => brand ?? '')
}

it('orders the brand of a simulated acquirer first, unless a person has ordered it', async () => {
  expect(await orderedBrands([])).toEqual(['elo'])
  expect(await orderedBrands(['elo'])).toEqual(['elo'])
})
