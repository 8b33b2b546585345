import type { ProviderAccount } from '@cofre/provider-kit/account'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listen } from '../../http/listen.js'
import { testServing } from '../../http/serving.fixture.js'
import { createMetrics } from '../../observability/metrics.js'
import {
  BANK_TOOLS,
  NOTICE_SECRET,
  madeUpProvider,
  testAccount,
} from '../providers/account.fixture.js'
import { gatewayReceiver, vaultReceiver } from './notice-receivers.js'
import { createNoticeRoutes } from './notice-routes.js'
import { freePort } from '../../http/free-port.fixture.js'

const PORT = await freePort()
const ADDRESS = `/notices/account-1/${NOTICE_SECRET}`
const DECLARED_MAX = 64 * 1024

describe('Routes of providers’ notices', () => {
  let serving: ReturnType<typeof testServing>
  let stop: () => Promise<void>
  let noted: [environment: string, account: string, names: readonly string[]][]
  let isForged: boolean
  let failing: 'nobody' | 'database' | 'bank'

  /** A gateway with one account. */
  const gatewayWith = (environment: string, id: string) => ({
    accounts: { find: () => Promise.resolve(testAccount({ id })) } as never,
    expectsNotice: (account: string, secret: string) =>
      failing === 'database'
        ? Promise.reject(new Error('the database is away'))
        : Promise.resolve(account === id && secret === NOTICE_SECRET),
    noticeOf: (account: string, names: readonly string[]) => {
      noted.push([environment, account, names])
      return Promise.resolve()
    },
  })

  /** A vault with one account. */
  const vault = {
    expectsNotice: (account: string, secret: string) =>
      Promise.resolve(account === 'account-v' && secret === NOTICE_SECRET),
    acceptNotice: (account: string, body: unknown) => {
      if (failing === 'database') return Promise.reject(new Error('the database is away'))
      noted.push(['vault', account, Array.isArray(body) ? body.map(String) : []])
      return Promise.resolve(
        isForged ? (['applied', 'forged', 'forged'] as const) : (['applied'] as const),
      )
    },
  }
  let metrics: ReturnType<typeof createMetrics>

  beforeEach(async () => {
    metrics = createMetrics('0.0.0')
    noted = []
    failing = 'nobody'
    isForged = false
    serving = testServing()
    const { log } = serving
    const { provider } = madeUpProvider()
    const connectionOf = (account: ProviderAccount) =>
      failing === 'bank'
        ? Promise.reject(new Error('the credentials do not open'))
        : Promise.resolve(provider.connect(account, BANK_TOOLS))
    const gateways = [gatewayWith('production', 'account-1'), gatewayWith('sandbox', 'account-2')]
    const ofGateways = gateways.map((gateway) => gatewayReceiver(gateway, connectionOf, log))
    const ofVault = vaultReceiver(vault, metrics, { log, clock: Date })
    const application = createNoticeRoutes({ receivers: [...ofGateways, ofVault], log })
    stop = await listen({
      role: 'notices',
      host: '127.0.0.1',
      port: PORT,
      portVariable: 'COFRE_NOTICES_PORT',
      publicUrl: 'https://pix.example.com',
      application,
      serving,
    })
  })
  afterEach(() => stop())

  const send = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${PORT}${path}`, {
      method: 'POST',
      body: '["a","b"]',
      headers: { Connection: 'close' },
      ...init,
    })

  it.each([
    ['as it is registered', ADDRESS],
    ['with what banks append', `${ADDRESS}/pix`],
    ['with a slash at its end', `${ADDRESS}/`],
    ['with a query', `${ADDRESS}?ignorar=/pix`],
  ])('a notice is accepted at its address, %s', async (_, path) => {
    expect((await send(path)).status).toBe(200)
    expect(noted).toEqual([['production', 'account-1', ['a', 'b']]])
  })

  it('a notice reaches the environment of its account', async () => {
    await send(`/notices/account-2/${NOTICE_SECRET}/pix`)
    expect(noted).toEqual([['sandbox', 'account-2', ['a', 'b']]])
  })

  it('a notice for an account of the vault reaches the vault, which reports the result', async () => {
    expect((await send(`/notices/account-v/${NOTICE_SECRET}`)).status).toBe(200)
    expect(noted).toEqual([['vault', 'account-v', ['a', 'b']]])
    const counted = await metrics.cardNotices.get()
    expect(counted.values).toMatchObject([
      { labels: { account: 'account-v', fate: 'applied' }, value: 1 },
    ])
    failing = 'database'
    expect((await send(`/notices/account-v/${NOTICE_SECRET}`)).status).toBe(503)
  })

  it('a notice with a wrong signature is refused for a repetition, with one warning', async () => {
    isForged = true
    for (let time = 0; time < 2; time += 1)
      expect((await send(`/notices/account-v/${NOTICE_SECRET}`)).status).toBe(401)
    const warnings = serving.lines.filter((line) => line.includes('a notice was refused'))
    expect(warnings.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 40, account: 'account-v' },
    ])
    const counted = await metrics.cardNotices.get()
    expect(counted.values).toContainEqual({
      labels: { account: 'account-v', fate: 'forged' },
      value: 4,
    })
  })

  it.each([
    ['no JSON', 'evento=teste'],
    ['another shape', '{"evento":"teste_webhook"}'],
    ['nothing', ''],
    ['deep nesting', '['.repeat(30_000)],
    ['too many values to be parsed', JSON.stringify(Array(2000).fill('a'))],
  ])('the test of a bank with %s is answered, and names no charge', async (_, body) => {
    expect((await send(`${ADDRESS}/pix`, { body })).status).toBe(200)
    expect(noted.flatMap(([, , names]) => names)).toEqual([])
    const [tried = ''] = serving.lines.filter((line) => line.includes('to test the address'))
    expect(JSON.parse(tried)).toMatchObject({ level: 30, account: 'account-1' })
  })

  it.each(['GET', 'HEAD'])('%s is answered, as a test of the address', async (method) => {
    expect((await send(`${ADDRESS}/pix`, { method, body: null })).status).toBe(200)
    expect(noted).toEqual([])
  })

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is not for this address', async (method) => {
    const { status, headers } = await send(ADDRESS, { method })
    expect([status, headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST'])
  })

  it.each([
    ['another secret', `/notices/account-1/x${NOTICE_SECRET}`],
    ['the secret of another account', `/notices/account-3/${NOTICE_SECRET}/pix`],
    ['no secret', '/notices/account-1'],
    ['nothing of an address', '/'],
    ['a name that no database takes', `/notices/%00/${NOTICE_SECRET}`],
  ])('%s is not found, and looks as all that are not', async (_, path) => {
    for (const method of ['POST', 'GET', 'PUT']) {
      const answer = await send(path, method === 'GET' ? { method, body: null } : { method })
      expect([answer.status, await answer.text()]).toEqual([404, 'not found'])
    }
    expect(noted).toEqual([])
  })

  it.each([
    ['declared', 'x'.repeat(DECLARED_MAX + 1)],
    ['not declared', new Blob(['x'.repeat(DECLARED_MAX + 1)]).stream()],
  ])('a body that is too large, its length %s, is refused', async (_, body) => {
    expect((await send(ADDRESS, { body, duplex: 'half' } as RequestInit)).status).toBe(413)
    expect(noted).toEqual([])
  })

  it.each(['database', 'bank'] as const)(
    'a sender is asked to repeat a notice when the %s is out of reach',
    async (what) => {
      failing = what
      expect((await send(ADDRESS)).status).toBe(503)
    },
  )

  it('writes neither secret nor body into its log', async () => {
    await send(`${ADDRESS}/pix`, { body: '["the-body"]' })
    await send(ADDRESS, { body: 'the-body' })
    await send(ADDRESS, { method: 'PUT' })
    await send(`//proxy${ADDRESS}`)
    await send(ADDRESS.replace('notices', 'NOTICES'))
    await send(ADDRESS.replace('notices', '%6Eotices'))
    for (const step of ['..', '%2e%2e'])
      for (const above of [1, 2])
        await send(`/notices/x${`/${step}`.repeat(above)}/${NOTICE_SECRET}/pix`)
    failing = 'bank'
    await send(ADDRESS)
    const lines = serving.lines.join('')
    expect(lines).toContain('"path":"/notices/account-1/[address]"')
    expect(lines).toContain('"route":"/notices/:account/:secret"')
    expect(lines).not.toContain(NOTICE_SECRET)
    expect(lines).not.toContain('the-body')
  })
})
