import { describe, expect, it } from 'vitest'
import { DELIVERIES_AT_ONCE, type StoreShares, createStoreShares } from './store-shares.js'

function acknowledge(shares: StoreShares, merchantId: string, times: number): void {
  for (let i = 0; i < times; i++) shares.acknowledged(merchantId)
}

describe('the share of a store', () => {
  it('grows with each notification that it acknowledges, up to a bound', () => {
    const shares = createStoreShares()
    const first = shares.of('store')
    acknowledge(shares, 'store', 5)
    expect(shares.of('store')).toBe(first + 5)
    acknowledge(shares, 'store', 1000)
    expect(shares.of('store')).toBe(shares.largest)
    expect(shares.of('another')).toBe(first)
  })

  it('gives half of what it has grown by for each that is refused', () => {
    const shares = createStoreShares()
    const first = shares.of('store')
    acknowledge(shares, 'store', 40)
    shares.refused('store')
    expect(shares.of('store')).toBe(first + 20)
    for (let i = 0; i < 6; i++) shares.refused('store')
    expect(shares.of('store')).toBe(first)
  })

  it('comes to be as large as the rate at which the store acknowledges, among all that have grown', () => {
    const shares = createStoreShares()
    const first = shares.of('fast')
    acknowledge(shares, 'slow', 1000)
    for (let i = 0; i < 100; i++) {
      acknowledge(shares, 'fast', 20)
      acknowledge(shares, 'slow', 1)
    }
    const [fast, slow] = [shares.of('fast') - first, shares.of('slow') - first]
    expect(fast + slow).toBe(shares.largest - first)
    expect(slow).toBeLessThan(fast / 10)
  })

  it('leaves places to all others, however far one has grown and however many hang', () => {
    const shares = createStoreShares()
    const left = DELIVERIES_AT_ONCE - shares.largest - shares.allSilent
    expect(left).toBeGreaterThanOrEqual(shares.of('another'))
  })
})
