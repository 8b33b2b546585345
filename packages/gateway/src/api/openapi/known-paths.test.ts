import { describe, expect, it } from 'vitest'
import { methodsOf, nearestOperation } from './known-paths.js'
import { OPERATIONS } from './openapi-document.js'

const near = (method: string, path: string) => nearestOperation(OPERATIONS, method, path)

describe('the operation that an unknown path is nearest to', () => {
  it.each([
    ['POST', '/transaction', 'POST /transactions'],
    ['GET', '/Transaction', 'GET /transactions'],
    ['POST', '/v1/transactions', 'POST /transactions'],
    ['GET', '/api/v2/transactions/59557135709791', 'GET /transactions/{transactionCode}'],
    ['POST', '/transactions/59557135709791/refunds', 'POST /refunds'],
    ['POST', '/refund', 'POST /refunds'],
    ['POST', '/payment_links', 'POST /payment-links'],
    ['POST', '/payment-links/A1/revocation', 'POST /payment-links/{linkCode}/revocations'],
    ['GET', '/cards/bin/411111', 'GET /card/bin/{bin}'],
    ['GET', '/installments', 'GET /card/installments'],
    // The path counts before the method.
    ['DELETE', '/refund', 'POST /refunds'],
  ])('%s %s: %s', (method, path, operation) => {
    expect(near(method, path)).toBe(operation)
  })

  it.each(['/', '/charges', '/nothing', '/wp-login.php', '/a/b/c/d/e/f/g', '//', '/%00'])(
    'is none for %s',
    (path) => {
      expect(near('GET', path)).toBeUndefined()
    },
  )

  it('is looked for in a path of any length, and of any number of parts', () => {
    expect(near('GET', `/${'a/'.repeat(8000)}transaction`)).toBeUndefined()
    expect(near('GET', `/${'transactions'.repeat(1300)}`)).toBeUndefined()
  })
})

describe('the methods of a path', () => {
  it.each([
    ['/transactions', ['POST', 'GET']],
    ['/transactions/', ['POST', 'GET']],
    ['/transactions/1', ['GET']],
    ['/payment-links/A1/revocations', ['POST']],
    ['/transactions/1/2', []],
    ['/transactions//', []],
    ['/nothing', []],
  ])('%s: %j', (path, methods) => {
    expect(methodsOf(OPERATIONS, path)).toEqual(methods)
  })
})
