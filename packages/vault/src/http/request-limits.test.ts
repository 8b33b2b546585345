import type { SessionAnswer } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestVault, openTestVault, tokenFor } from '../vault.fixture.js'
import { type LimitReached, networkOf } from './request-limits.js'
import { createVaultRoutes } from './vault-routes.js'

const [sqlite] = TEST_ENGINES
const addressOf = (request: Request): string => request.headers.get('X-Test-Address') ?? ''

type LimitReport = (limit: LimitReached) => void

describe('The limits of the vault’s public routes', () => {
  let test: TestVault

  beforeEach(async () => {
    if (sqlite === undefined) throw new Error('no engine')
    test = await openTestVault(sqlite)
  })
  afterEach(() => test.database.close())

  function posting(sessionsPerMinute: number, depositsPerMinute: number, refused?: LimitReport) {
    const limits = { sessionsPerMinute, depositsPerMinute, addressOf, ...(refused && { refused }) }
    const routes = createVaultRoutes(test.vault, { log: test.log, limits })
    return async (path: string, address: string, body?: string): Promise<Response> =>
      await routes.request(path, {
        method: 'POST',
        headers: { 'X-Test-Address': address },
        ...(body !== undefined && { body }),
      })
  }

  it('serve an address until it asks too often, and the others after that', async () => {
    const post = posting(3, 2)
    const statuses = []
    for (let i = 0; i < 5; i++) statuses.push((await post('/sessions', '192.0.2.1')).status)
    expect(statuses).toEqual([201, 201, 201, 429, 429])
    expect((await post('/sessions', '192.0.2.2')).status).toBe(201)
  })

  it('count sessions and deposits apart', async () => {
    const post = posting(1, 1)
    const session = (await (await post('/sessions', 'a')).json()) as SessionAnswer
    const token = await tokenFor(session)
    expect((await post('/direct-tokens', 'a', token)).status).toBe(201)
    expect((await post('/direct-tokens', 'a', token)).status).toBe(429)
  })

  it('report each request that they refuse', async () => {
    const reached: LimitReached[] = []
    const post = posting(1, 2, (limit) => reached.push(limit))
    for (let i = 0; i < 3; i++) await post('/sessions', 'a')
    expect(reached).toEqual(['session_rate', 'session_rate'])
    for (let i = 0; i < 3; i++) await post('/direct-tokens', 'a', 'none')
    expect(reached).toEqual(['session_rate', 'session_rate', 'deposit_rate'])
  })

  it('answer a page on another origin, in the one error shape, with the time to wait', async () => {
    const post = posting(1, 1)
    await post('/sessions', 'a')
    const response = await post('/sessions', 'a')
    expect(await response.json()).toMatchObject({
      errors: [{ code: 90005, description: 'too_many_requests' }],
    })
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(Number(response.headers.get('Retry-After'))).toBeLessThanOrEqual(60)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(response.headers.get('Access-Control-Expose-Headers')).toBe('Retry-After')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
  })

  it('count no preflight', async () => {
    const limits = { sessionsPerMinute: 1, depositsPerMinute: 1, addressOf }
    const routes = createVaultRoutes(test.vault, { log: test.log, limits })
    for (let i = 0; i < 5; i++)
      expect((await routes.request('/sessions', { method: 'OPTIONS' })).status).toBe(204)
    expect((await routes.request('/sessions', { method: 'POST' })).status).toBe(201)
  })

  it('hold for a path with its slash as well', async () => {
    const post = posting(1, 1)
    await post('/sessions/', 'a')
    expect((await post('/sessions', 'a')).status).toBe(429)
    expect((await post('/sessions/', 'a')).status).toBe(429)
  })

  it('are none when they are 0', async () => {
    const post = posting(0, 0)
    for (let i = 0; i < 20; i++) expect((await post('/sessions', 'a')).status).toBe(201)
  })

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['', ''],
  ])('count %s as %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

describe('Tokens that do not decrypt', () => {
  it('are answered alike, to the byte, whatever is wrong with them', async () => {
    if (sqlite === undefined) throw new Error('no engine')
    const test = await openTestVault(sqlite)
    const routes = createVaultRoutes(test.vault, { log: test.log })
    const session = await test.vault.openSession()
    const other = await test.vault.openSession()
    const good = await tokenFor(session)
    const part = (index: number, change: (text: string) => string): string =>
      good
        .split('.')
        .map((text, i) => (i === index ? change(text) : text))
        .join('.')
    const flip = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)
    const bad = [
      'noise',
      part(2, flip),
      part(3, flip),
      part(4, flip),
      await tokenFor({ ...other, id: session.id }),
      await tokenFor(session, 'no card'),
      await tokenFor(session, { number: 4111 }),
      await tokenFor(session, {}, { enc: 'A128GCM' }),
    ]
    const answers = new Set<string>()
    for (const body of bad) {
      const response = await routes.request('/direct-tokens', { method: 'POST', body })
      const headers = JSON.stringify([...response.headers])
      answers.add(`${response.status} ${headers} ${await response.text()}`)
    }
    expect([...answers]).toEqual([expect.stringContaining('"code":90102')])
    await test.database.close()
  })
})
