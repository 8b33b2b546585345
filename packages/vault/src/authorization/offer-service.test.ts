import { describe, expect, it } from 'vitest'
import type { ChargingDeps } from './charging-deps.js'
import { installmentsTaken } from './offer-service.js'

const QUERY = { environment: 'production', merchantId: 'store-1', brand: 'diners' } as const

/** A store whose one account takes so many; undefined for a store that has none. */
const taking = (most: number | undefined) =>
  ({
    accountsFor: ({ installments }) =>
      Promise.resolve(
        most === undefined
          ? undefined
          : { accounts: installments <= most ? [{ id: 'conta-1' }] : [], routesDeclines: false },
      ),
  }) as Pick<ChargingDeps, 'accountsFor'> as ChargingDeps

describe('how many installments a store’s accounts take', () => {
  it.each([
    ['as many as are asked for', 18, 18, 18],
    ['12 where a contract has no more', 12, 18, 12],
    ['one where the brand is charged in one alone', 1, 12, 1],
    ['as many as are asked for where there is no account', undefined, 12, 12],
  ])('is %s', async (_, most, installmentsMax, expected) => {
    expect(await installmentsTaken(taking(most), { ...QUERY, installmentsMax })).toBe(expected)
  })
})
