import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cardRequest, openTestGateway } from '../../gateway.fixture.js'

async function countryFound(
  ip: string | undefined,
  countryOf?: (address: string) => string | undefined,
): Promise<unknown> {
  const [engine] = TEST_ENGINES
  if (engine === undefined) throw new Error('there is no engine')
  const test = await openTestGateway(engine, { countryOf })
  onTestFinished(() => test.close())
  const request = cardRequest('order-1')
  const body = { ...request, payer: { ...request.payer, ip } }
  await test.send('POST', '/transactions', { body })
  const { json } = await test.send('GET', '/transactions?reference=order-1')
  const { transactions } = json['transaction-result'] as { transactions: readonly object[] }
  return Reflect.get(transactions[0] ?? {}, 'customer-country')
}

describe('customer-country', () => {
  const asked: string[] = []
  const countryOf = (address: string): string | undefined => {
    asked.push(address)
    return address === '203.0.113.7' ? 'PT' : undefined
  }

  it.each([
    ['the country of the payer’s address', '203.0.113.7', 'PT'],
    ['BR for an address that the look-up does not know', '198.51.100.1', 'BR'],
    ['BR for a payer without an address', undefined, 'BR'],
  ])('is %s', async (_, ip, country) => {
    expect(await countryFound(ip, countryOf)).toBe(country)
    expect(asked.splice(0)).toEqual(ip === undefined ? [] : [ip])
  })

  it('is BR where no look-up is configured', async () => {
    expect(await countryFound('203.0.113.7')).toBe('BR')
  })
})
