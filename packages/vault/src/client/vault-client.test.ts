import { randomBytes } from 'node:crypto'
import { type CardAnswer, type CardOrder, MINUTE_MS, Secret } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { beginDeadline } from '@cofre/work'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createServiceRoutes } from '../http/service-routes.js'
import {
  AMEX,
  CARD,
  DISCOVER,
  type TestVault,
  depositCode,
  openTestVault,
  orderByCode,
  orderFor,
  tokenFor,
} from '../vault.fixture.js'
import {
  type NetworkAnswer,
  type ServiceNetwork,
  openServiceNetwork,
} from './service-network.fixture.js'
import { parseServiceKeys } from './service-key.js'
import { type VaultClient, createVaultClient } from './vault-client.js'
import { VaultAnswerError, VaultRefusalError, VaultUnreachableError } from './vault-error.js'

const drawKey = (): string => randomBytes(32).toString('base64url')
const [KEY, OTHER_KEY] = [drawKey(), drawKey()]
const KEYS = `k1:${KEY}`
const SUMMARY = { brand: 'visa', bin: '411111', lastFour: '1111' }
const APPROVED: CardAnswer = { kind: 'answered', outcome: 'approved', card: SUMMARY }
const UNAVAILABLE: CardAnswer = { kind: 'refused', reason: 'vault_unavailable' }

const rawOrder = (card = CARD): CardOrder =>
  orderFor('', { source: { kind: 'raw', card: new Secret(card) } })

describe('A vault in another process', () => {
  let test: TestVault
  let network: ServiceNetwork
  let client: VaultClient

  const connect = (keys = KEYS, url = network.url): VaultClient =>
    createVaultClient({ url, keys: parseServiceKeys(keys), clock: test.clock, log: test.log })
  const serve = (keys = KEYS) =>
    createServiceRoutes(test.vault, { ...test, keys: parseServiceKeys(keys) })

  beforeEach(async () => {
    test = await openTestVault(TEST_SQLITE)
    let routes = serve()
    network = await openServiceNetwork(() => routes)
    client = connect()
    restart = (keys) => {
      routes = serve(keys)
    }
  })
  let restart: (keys?: string) => void
  afterEach(async () => {
    client.close()
    await network.close()
    await test.database.close()
  })

  const recall = ({ environment, transactionCode }: CardOrder) =>
    client.recallAuthorization(environment, transactionCode)

  it('charges a token, and the same order again is answered as before', async () => {
    const order = orderFor(await test.deposit(), { installments: 3, brand: 'visa' })
    expect(await client.authorize(order)).toEqual(APPROVED)
    expect(await client.authorize(order)).toEqual(APPROVED)
    expect(test.acquirer.requests).toMatchObject([
      { card: CARD, amountMinor: 10_000, installments: 3 },
    ])
  })

  it('learns how long the shop still waits, at the time of each attempt', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const order = orderFor(await test.deposit(), { deadline: beginDeadline(9000) })
    vi.advanceTimersByTime(2000)
    network.interfere = (_, deliver) => {
      vi.advanceTimersByTime(6000)
      network.interfere = (request) => deliver(request)
      return Promise.resolve('cut')
    }
    expect(await client.authorize(order)).toEqual(APPROVED)
    // It is in the query, which older vaults ignore; their body has no room for it.
    expect(network.requests.map(({ target }) => target)).toEqual([
      '/v1/authorizations?shop-waits-ms=7000',
      '/v1/authorizations?shop-waits-ms=1000',
    ])
    expect(network.requests.map(({ body }) => body).join()).not.toContain('deadline')
  })

  it('saves a card, makes it usable and charges its code', async () => {
    test.acquirer.answers = ['review', 'approved']
    const order = orderFor(await test.deposit(), { saveCard: true })
    const answer = await client.authorize(order)
    const code = answer.kind === 'answered' ? (answer.savedCard?.code ?? '') : ''
    expect(code).toMatch(/^[A-Z0-9]{32}$/i)
    expect(await client.authorize(orderByCode(code))).toMatchObject({ reason: 'code_not_found' })
    await client.activateSavedCard(order.environment, order.transactionCode)
    expect(await client.authorize(orderByCode(code))).toEqual(APPROVED)
  })

  it('charges a saved card with its security code, once, though the answer is lost', async () => {
    test.acquirer.answers = ['approved']
    const first = orderFor(await test.deposit(), { saveCard: true })
    const answer = await client.authorize(first)
    const code = answer.kind === 'answered' ? (answer.savedCard?.code ?? '') : ''
    const securityCodeToken = await depositCode(test, '736')
    const order = orderByCode(code, { source: { kind: 'code', code, securityCodeToken } })
    let isLost = false
    network.interfere = async (request, deliver) => {
      const delivered = await deliver(request)
      if (isLost) return delivered
      isLost = true
      return 'cut'
    }
    expect(await client.authorize(order)).toEqual(APPROVED)
    expect(await client.authorize(order)).toEqual(APPROVED)
    expect(test.acquirer.requests.map(({ card }) => card.cvv)).toEqual([CARD.cvv, '736'])
  })

  it('sends no security code in the place of its token', async () => {
    const sent = network.requests.length
    const source = { kind: 'code', code: 'x', securityCodeToken: '737' } as const
    expect(await client.authorize(orderByCode('x', { source }))).toEqual({
      kind: 'refused',
      reason: 'security_code_token_invalid',
    })
    expect(network.requests).toHaveLength(sent)
  })

  it('charges a raw card without showing it to anyone on the way', async () => {
    expect(await client.authorize(rawOrder())).toEqual(APPROVED)
    expect(test.acquirer.requests[0]?.card).toEqual(CARD)
    const sent = JSON.stringify(network.requests)
    expect(sent).toContain('"kind\\":\\"encrypted')
    expect(sent).not.toContain(CARD.number)
    expect(sent).not.toContain(CARD.cvv)
    const { reader } = test.database
    const kept = await reader.selectFrom('direct_tokens').select('sealed_card').execute()
    expect(kept).toEqual([{ sealed_card: null }])
  })

  describe('with a 3-DS result', () => {
    const CAVV = 'AAABCSIIAAAAAAACcwgAEMCoNh+='
    const threeDSecure = {
      version: '2.2.0',
      eci: '05',
      cavv: new Secret(CAVV),
      directoryServerTransactionId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
    }

    it('hands it to the acquirer, sealed on the way, whatever pays', async () => {
      await client.authorize(orderFor(await test.deposit(), { threeDSecure }))
      await client.authorize({ ...rawOrder(), threeDSecure })
      for (const { threeDSecure: given } of test.acquirer.requests) {
        expect(given).toMatchObject({ version: '2.2.0', eci: '05' })
        expect(given?.cavv.reveal()).toBe(CAVV)
      }
      expect(test.acquirer.requests).toHaveLength(2)
      expect(JSON.stringify(network.requests)).not.toContain(CAVV)
    })

    it('charges once when the answer is lost, and with the result', async () => {
      let isFirst = true
      network.interfere = async (request, onward) => {
        const answer = await onward(request)
        if (!request.target.includes('authorizations') || !isFirst) return answer
        isFirst = false
        return 'cut'
      }
      const order = orderFor(await test.deposit(), { threeDSecure })
      expect(await client.authorize(order)).toEqual(APPROVED)
      expect(test.acquirer.requests).toHaveLength(1)
    })

    it('charges nothing without it: neither opened twice, nor for another order', async () => {
      let sealed: string | undefined
      network.interfere = async (request, onward) => {
        if (!request.target.includes('authorizations')) return await onward(request)
        const body = JSON.parse(request.body) as { threeDSecure?: string }
        sealed ??= body.threeDSecure
        // Past the client: the vault's own answer to a recorded request.
        const opened = await test.vault.openThreeDSecure(sealed ?? '', {
          environment: 'production',
          transactionCode: '1',
        })
        expect(opened).toBeUndefined()
        const asked = JSON.parse(request.body) as CardOrder
        const first = await test.vault.openThreeDSecure(sealed ?? '', asked)
        expect(first?.eci).toBe('05')
        return await onward(request)
      }
      const order = orderFor(await test.deposit(), { threeDSecure })
      expect(await client.authorize(order)).toEqual(UNAVAILABLE)
      expect(test.acquirer.requests).toEqual([])
    })
  })

  it.each<[string, () => CardOrder | Promise<CardOrder>]>([
    ['token_invalid', async () => orderFor(await tokenFor(await test.vault.openSession()))],
    ['code_not_found', () => orderByCode('0'.repeat(32))],
    ['brand_mismatch', async () => orderFor(await test.deposit(AMEX), { brand: 'visa' })],
    ['bin_refused', async () => orderFor(await test.deposit(), { refusedBins: ['411111'] })],
    ['brand_not_accepted', () => rawOrder(DISCOVER)],
    ['card_invalid', () => rawOrder({ ...CARD, year: '2020' })],
  ])('returns a refusal: %s', async (reason, order) => {
    expect(await client.authorize(await order())).toEqual({ kind: 'refused', reason })
    expect(test.acquirer.requests).toEqual([])
  })

  it.each([`${CARD.number}.${CARD.cvv}`, JSON.stringify(CARD), 'x'.repeat(1024)])(
    'sends nothing that is no token: %s',
    async (token) => {
      const answer = await client.authorize(orderFor(token))
      expect(answer).toEqual({ kind: 'refused', reason: 'token_invalid' })
      expect(network.requests).toEqual([])
    },
  )

  it('answers what became of an order, and that one never arrived', async () => {
    const order = orderFor(await test.deposit())
    await client.authorize(order)
    expect(await recall(order)).toEqual(APPROVED)
    const late = orderFor(await test.deposit())
    expect(await recall(late)).toBeUndefined()
    expect(await client.authorize(late)).toMatchObject({ kind: 'refused' })
    expect(test.acquirer.requests).toHaveLength(1)
  })

  it.each([
    ['token', async () => orderFor(await test.deposit())],
    ['raw card', () => Promise.resolve(rawOrder())],
  ])('asks again when the answer to a %s is lost, and charges once', async (_, order) => {
    let isLost = false
    network.interfere = async (request, deliver) => {
      const answer = await deliver(request)
      if (isLost || !request.target.endsWith('/authorizations')) return answer
      isLost = true
      return 'cut'
    }
    expect(await client.authorize(await order())).toEqual(APPROVED)
    expect(isLost).toBe(true)
    expect(test.acquirer.requests).toHaveLength(1)
  })

  it('leaves the outcome unknown when every answer is lost, and learns it later', async () => {
    network.interfere = async (request, deliver) => {
      await deliver(request)
      return 'cut'
    }
    const order = orderFor(await test.deposit())
    await expect(client.authorize(order)).rejects.toThrow(VaultAnswerError)
    network.interfere = (request, deliver) => deliver(request)
    expect(await recall(order)).toEqual(APPROVED)
    expect(test.acquirer.requests).toHaveLength(1)
  })

  it('waits for no vault that hangs, and learns later what it did', async () => {
    const order = orderFor(await test.deposit())
    network.interfere = async (request, deliver) => {
      await deliver(request)
      return new Promise(() => undefined)
    }
    client.close()
    const keys = parseServiceKeys(KEYS)
    client = createVaultClient({
      url: network.url,
      keys,
      clock: test.clock,
      answerTimeoutMs: 300,
    })
    await expect(client.authorize(order)).rejects.toThrow(/did not answer within 300 ms/)
    network.interfere = (request, deliver) => deliver(request)
    expect(await recall(order)).toEqual(APPROVED)
    expect(test.acquirer.requests).toHaveLength(1)
  })

  it('believes no refusal of a second attempt while the first may be under way', async () => {
    const token = await tokenFor(await test.vault.openSession())
    const held = holdFirst()
    expect(await client.authorize(orderFor(token))).toMatchObject({ reason: 'token_invalid' })
    // The token becomes valid, but too late for the first attempt.
    await test.vault.depositDirectToken(token)
    await held()
    expect(test.acquirer.requests).toEqual([])
  })

  it('returns the charge of the first attempt, though the second was refused before it', async () => {
    const token = await tokenFor(await test.vault.openSession())
    const held = holdFirst(async () => {
      await test.vault.depositDirectToken(token)
      await held()
    })
    expect(await client.authorize(orderFor(token))).toEqual(APPROVED)
    expect(test.acquirer.requests).toHaveLength(1)
  })

  /** Holds the first request until the returned function delivers it. */
  function holdFirst(afterSecond = () => Promise.resolve()): () => Promise<unknown> {
    let held: () => Promise<unknown> = () => Promise.resolve()
    network.interfere = async (request, deliver) => {
      if (network.requests.length === 1) {
        held = () => deliver(request)
        return 'cut'
      }
      const answer = await deliver(request)
      if (network.requests.length === 2) await afterSecond()
      return answer
    }
    return () => held()
  }

  it('refuses for certain when no vault listens, whatever is to be charged', async () => {
    const order = orderFor(await test.deposit())
    await network.close()
    expect(await client.authorize(order)).toEqual(UNAVAILABLE)
    expect(await client.authorize(rawOrder())).toEqual(UNAVAILABLE)
    await expect(recall(order)).rejects.toThrow(VaultUnreachableError)
    await expect(client.ping()).rejects.toThrow(VaultUnreachableError)
    const reported = test.log.lines.filter((text) => text.includes('"error"'))
    expect(reported).toHaveLength(2)
    for (const text of reported) expect(text).not.toMatch(/4111|Maria|@/)
  })

  describe('once the vault has refused the signature', () => {
    const targets = (): string[] => network.requests.map(({ target }) => target)

    it('sends no order, refuses for certain and logs why, until the vault accepts it', async () => {
      restart(`k1:${OTHER_KEY}`)
      await expect(client.ping()).rejects.toThrow(VaultRefusalError)
      const token = await test.deposit()
      network.requests.length = 0
      expect(await client.authorize(orderFor(token))).toEqual(UNAVAILABLE)
      expect(await client.authorize(rawOrder())).toEqual(UNAVAILABLE)
      expect(new Set(targets())).toEqual(new Set(['/v1/ping']))
      expect(test.log.lines.join('\n')).toContain('a card was not charged')
      restart()
      expect(await client.authorize(orderFor(token))).toEqual(APPROVED)
      network.requests.length = 0
      expect(await client.authorize(orderFor(await test.deposit()))).toEqual(APPROVED)
      expect(targets()).toEqual(['/v1/authorizations'])
    })

    it('does not know what became of the order that it refused', async () => {
      // An attacker lets the order through, and reports a refusal.
      const refused = { status: 401, body: '{}', signature: null }
      network.interfere = async (request, deliver) => {
        await deliver(request)
        return refused
      }
      const order = orderFor(await test.deposit())
      await expect(client.authorize(order)).rejects.toThrow(VaultRefusalError)
      expect(test.acquirer.requests).toHaveLength(1)
      expect(await client.authorize(orderFor(await test.deposit()))).toEqual(UNAVAILABLE)
      expect(test.acquirer.requests).toHaveLength(1)
      network.interfere = (request, deliver) => deliver(request)
      expect(await recall(order)).toEqual(APPROVED)
    })
  })

  it('refuses for certain when the vault has forgotten the session of a raw card', async () => {
    network.interfere = async (request, deliver) => {
      const answer = await deliver(request)
      if (!request.target.endsWith('/sessions')) return answer
      await test.vault.sweep()
      test.clock.nowMs += 20 * MINUTE_MS
      return answer
    }
    expect(await client.authorize(rawOrder())).toEqual(UNAVAILABLE)
    expect(test.acquirer.requests).toEqual([])
  })

  describe('with an attacker on the network', () => {
    it.each<[string, (answer: NetworkAnswer) => NetworkAnswer]>([
      ['makes a decline an approval', (a) => ({ ...a, body: a.body.replace('decl', 'appr') })],
      ['writes an approval', (a) => ({ ...a, body: JSON.stringify(APPROVED) })],
      ['writes a refusal', (a) => ({ ...a, body: JSON.stringify(UNAVAILABLE) })],
      ['changes the status', (a) => ({ ...a, status: 201 })],
      ['cuts the body short', (a) => ({ ...a, body: a.body.slice(0, -1) })],
      ['takes the signature away', (a) => ({ ...a, signature: null })],
      ['signs it otherwise', (a) => ({ ...a, signature: 'A'.repeat(43) })],
      ['answers a page', () => ({ status: 502, body: '<h1>', signature: null })],
      ['answers without end', (a) => ({ ...a, body: ' '.repeat(100_000) })],
    ])('does not believe who %s', async (_, alter) => {
      test.acquirer.answers = ['declined']
      network.interfere = async (request, deliver) => alter(await deliver(request))
      const order = orderFor(await test.deposit())
      await expect(client.authorize(order)).rejects.toThrow(VaultAnswerError)
      network.interfere = (request, deliver) => deliver(request)
      expect(await recall(order)).toMatchObject({ outcome: 'declined' })
      expect(test.acquirer.requests).toHaveLength(1)
    })

    it('does not take the answer to one order for that to another', async () => {
      test.acquirer.answers = ['declined', 'approved']
      let earlier: NetworkAnswer | undefined
      network.interfere = async (request, deliver) => {
        const answer = await deliver(request)
        earlier ??= answer
        return earlier
      }
      const declined = orderFor(await test.deposit())
      expect(await client.authorize(declined)).toMatchObject({ outcome: 'declined' })
      const other = orderFor(await test.deposit())
      await expect(client.authorize(other)).rejects.toThrow(VaultAnswerError)
    })

    it('does not take the answer to a recall for that to an authorization', async () => {
      const order = orderFor(await test.deposit())
      await client.ping()
      const [request] = network.requests
      if (request === undefined) throw new Error('nothing was sent')
      network.interfere = (asked, deliver) => deliver({ ...asked, target: request.target })
      await expect(client.authorize(order)).rejects.toThrow(VaultAnswerError)
      expect(test.acquirer.requests).toEqual([])
    })

    it.each<[string, string, (text: string) => string]>([
      ['the amount', 'body', (body) => body.replace('10000', '10001')],
      ['the store', 'body', (body) => body.replace('store-1', 'store-2')],
      ['the path', 'target', () => '/v1/recalls'],
      ['a query', 'target', (target) => `${target}?a=1`],
      ['the time', 'authorization', (text) => text.replace(/:(\d+):/, (_, at) => `:${+at + 1}:`)],
      ['the nonce', 'authorization', (text) => text.replace(/:[\w-]{22}:/, `:${'A'.repeat(22)}:`)],
      ['the key’s id', 'authorization', (text) => text.replace('k1', 'k2')],
      [
        'the signature',
        'authorization',
        (text) => text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A'),
      ],
      ['the header’s form', 'authorization', (text) => `${text} `.replace('CofreVault', 'Bearer')],
    ])('charges nothing when they alter %s', async (_, part, alter) => {
      network.interfere = (request, deliver) => {
        const altered = alter(request[part as 'body'])
        expect(altered).not.toBe(request[part as 'body'])
        return deliver({ ...request, [part]: altered })
      }
      const order = orderFor(await test.deposit())
      await expect(client.authorize(order)).rejects.toThrow(VaultAnswerError)
      expect(test.acquirer.requests).toEqual([])
    })

    it('refuses a copied request, and still answers the gateway', async () => {
      const refused: NetworkAnswer[] = []
      network.interfere = async (request, deliver) => {
        const first = await deliver(request)
        refused.push(await deliver(request))
        // The gateway gets the refusal of the second copy.
        return refused.length === 1 ? (refused[0] ?? first) : first
      }
      const order = orderFor(await test.deposit())
      expect(await client.authorize(order)).toEqual(APPROVED)
      expect(refused).toHaveLength(2)
      for (const { status, signature, body } of refused) {
        expect({ status, signature }).toEqual({ status: 401, signature: null })
        expect(JSON.parse(body)).toMatchObject({
          errors: [{ code: 90301, description: 'service_not_authenticated' }],
        })
      }
      expect(test.acquirer.requests).toHaveLength(1)
    })

    it('refuses a request that is kept for later, when it has forgotten it too', async () => {
      await client.ping()
      const [request] = network.requests
      if (request === undefined) throw new Error('nothing was sent')
      test.clock.nowMs += 3 * MINUTE_MS
      expect(await network.deliver(request)).toMatchObject({ status: 401 })
      test.clock.nowMs += 10 * MINUTE_MS
      restart()
      expect(await network.deliver(request)).toMatchObject({ status: 401 })
      expect(test.log.lines.join('\n')).toContain('clocks differ')
    })
  })

  it.each([-10, 10])('charges nothing when the clocks are %d minutes apart', async (minutes) => {
    const order = orderFor(await test.deposit())
    client.close()
    client = createVaultClient({
      url: network.url,
      keys: parseServiceKeys(KEYS),
      clock: { now: () => test.clock.nowMs + minutes * MINUTE_MS },
    })
    await expect(client.authorize(order)).rejects.toThrow(VaultAnswerError)
    expect(test.log.lines.join('\n')).toContain(`"aheadSeconds":${minutes * 60}`)
    expect(await client.authorize(order)).toEqual(UNAVAILABLE)
    expect(test.acquirer.requests).toEqual([])
  })

  it.each([
    ['the same', `a:${KEY}`, `a:${KEY}`, true],
    ['another', `a:${KEY}`, `a:${OTHER_KEY}`, false],
    ['another id', `a:${KEY}`, `b:${KEY}`, false],
    [
      'a new one that the vault has got',
      `b:${OTHER_KEY},a:${KEY}`,
      `a:${KEY},b:${OTHER_KEY}`,
      true,
    ],
    ['a new one that it has not', `b:${OTHER_KEY},a:${KEY}`, `a:${KEY}`, false],
    ['an old one that it has dropped', `a:${KEY}`, `b:${OTHER_KEY}`, false],
  ])('knows a gateway by its key: %s', async (_, gatewayKeys, vaultKeys, isKnown) => {
    await network.close()
    network = await openServiceNetwork(() => serve(vaultKeys))
    client = connect(gatewayKeys)
    const ping = client.ping()
    await (isKnown
      ? expect(ping).resolves.toBeUndefined()
      : expect(ping).rejects.toThrow(VaultAnswerError))
  })
})
