import { ApiError } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { MERCHANT, cardRequest } from '../gateway.fixture.js'
import type { Merchant } from '../model/merchant/merchant.js'
import { describeCart, readTransactionRequest } from './transaction-service.js'

const POLICY = { today: '2026-11-22', wallets: [], acceptsNotificationUrl: () => true }

/** The number of elements read in a list of the given length, and the first errors. */
function judge(list: 'cart' | 'charge', length: number) {
  let looks = 0
  const elements = Array.from({ length }, () => ({
    get type(): string {
      looks++
      return 'x'
    },
  }))
  try {
    readTransactionRequest({ ...cardRequest('order-1'), [list]: elements }, MERCHANT, POLICY)
  } catch (error) {
    if (error instanceof ApiError) return { looks, reported: error.failures.slice(0, 100) }
  }
  throw new Error('the request is wrong')
}

describe('a request with more elements than a body can hold of right ones', () => {
  it.each(['cart', 'charge'] as const)('costs and reports no more for a longer %s', (list) => {
    expect(judge(list, 20_000)).toEqual(judge(list, 10_000))
  })
})

describe('the line that a search shows of a cart', () => {
  it('ends with a whole character', () => {
    const request = cardRequest('order-1')
    const emoji = (description: string) => ({ ...request.cart[0], quantity: 1, description })
    const cart = [emoji('🙂'.repeat(100)), emoji('🙂'.repeat(100))].map((item) => ({
      ...item,
      'unit-price': 50,
    }))
    const merchant: Merchant = { ...MERCHANT, rules: 'lenient' }
    const judged = readTransactionRequest({ ...request, cart }, merchant, POLICY)
    expect(describeCart(judged)).toBe(`${'🙂'.repeat(100)}, ${'🙂'.repeat(26)}`)
  })
})
