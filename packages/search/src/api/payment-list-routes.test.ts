import { DAY_MS, HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  APPROVED,
  AUTHORIZED,
  MERCHANT,
  NOW_MS,
  cardRequest,
  railRequest,
} from '../../../gateway/src/gateway.fixture.js'
import {
  archiveAll,
  create,
  finish,
  openAgingGateway,
} from '../../../gateway/src/ledger/archive/archive.fixture.js'
import { formatTimestamp } from '../../../gateway/src/model/calendar/brazilian-calendar.js'
import { voidPayment } from '../../../gateway/src/payment/capture/authorized-end-service.js'
import { readAll } from '../sql/search-index.fixture.js'
import { servesSearch } from '../search.fixture.js'

const PAYER = { 'payer-email': 'maria@example.com' }
const OTHER_STORE = { ...MERCHANT, id: 'store-2' }

interface Listed {
  readonly payments: readonly { readonly reference: string }[]
  readonly 'next-cursor': string | null
}

for (const engine of TEST_ENGINES)
  describe(`lists of payments by the API, on ${engine.name}`, () => {
    let test: Awaited<ReturnType<typeof openAgingGateway>>
    beforeAll(async () => {
      test = await openAgingGateway(engine, servesSearch)
      await test.test.gateway.saveMerchant(OTHER_STORE)
      const bodies = [
        cardRequest('order-1'),
        railRequest('order-2', 'pix'),
        railRequest('order-3', 'boleto'),
        cardRequest('order-4'),
        railRequest('order-5', 'pix'),
      ]
      for (const [index, body] of bodies.entries()) {
        test.time.nowMs = NOW_MS + index * MINUTE_MS
        await create(test, body)
      }
      await readAll(test.database, test.time.nowMs + HOUR_MS)
    })
    afterAll(() => test.close())

    const referencesOf = ({ json }: { readonly json: unknown }) =>
      (json as Listed).payments.map(({ reference }) => reference)
    const list = (query: string, merchant = MERCHANT) =>
      test.send('GET', `/payments${query}`, { merchant })
    const search = (body: object, merchant = MERCHANT) =>
      test.send('POST', '/payments/searches', { body, merchant })

    /** All pages, each of at most two payments. */
    async function walk(
      page: (cursor: string | undefined) => Promise<{ readonly json: unknown }>,
    ): Promise<string[]> {
      const found: string[] = []
      let cursor: string | null | undefined
      do {
        const answer = await page(cursor ?? undefined)
        expect(referencesOf(answer).length).toBeLessThanOrEqual(2)
        found.push(...referencesOf(answer))
        cursor = (answer.json as Listed)['next-cursor']
      } while (cursor !== null)
      return found
    }
    const NEWEST_FIRST = ['order-5', 'order-4', 'order-3', 'order-2', 'order-1']

    const before = `created-until=${encodeURIComponent(formatTimestamp(NOW_MS + HOUR_MS))}`

    it('keep their places while payments are added', async () => {
      test.time.nowMs = NOW_MS + HOUR_MS
      let added = 0
      const found = await walk(async (cursor) => {
        const answer = await list(`?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`)
        added += 1
        await create(test, cardRequest(`later-${added}`))
        return answer
      })
      expect(found).toEqual(NEWEST_FIRST)
    })

    it.each([
      ['method=pix', ['order-5', 'order-2']],
      ['method=credit-card&status=COMPLETE', ['order-4', 'order-1']],
      ['status=REFUNDED', []],
      ['amount=100.00&method=boleto', ['order-3']],
      ['amount=99.99', []],
      ['reference=order-2', ['order-2']],
      ['reference=order-2&method=boleto', []],
      ['reference=order', []],
    ])('are filtered by %s', async (query, references) => {
      expect(referencesOf(await list(`?${before}&${query}`))).toEqual(references)
    })

    it('are filtered by a status that the specification’s search does not have', async () => {
      const nowMs = NOW_MS + DAY_MS
      test.time.nowMs = nowMs
      test.test.answerCards(() => Promise.resolve(AUTHORIZED))
      const { code } = await create(test, cardRequest('authorized-1', { capture: false }))
      test.test.answerCards(() => Promise.resolve(APPROVED))
      await readAll(test.database, nowMs + HOUR_MS)
      const created = `created-from=${encodeURIComponent(formatTimestamp(nowMs))}`
      const authorized = await list(`?${created}&status=AUTHORIZED`)
      expect(authorized.json).toMatchObject({ payments: [{ status: 'AUTHORIZED' }] })
      expect(referencesOf(authorized)).toEqual(['authorized-1'])
      expect(referencesOf(await list(`?${created}&status=PENDING`))).toEqual([])
      const payment = (await test.test.parts.transactions.findByCode(code))!
      await voidPayment(test.test.parts, payment, 'store')
      await readAll(test.database, nowMs + 2 * HOUR_MS)
      expect(referencesOf(await list(`?${created}&status=AUTHORIZED`))).toEqual([])
      expect(referencesOf(await list(`?${created}&status=CANCELLED`))).toEqual(['authorized-1'])
      expect((await search({ ...PAYER, status: 'AUTHORIZED' })).status).toBe(200)
    })

    it('are filtered by time', async () => {
      const at = (minutes: number) =>
        encodeURIComponent(formatTimestamp(NOW_MS + minutes * MINUTE_MS))
      const period = `?created-from=${at(1)}&created-until=${at(3)}`
      expect(referencesOf(await list(period))).toEqual(['order-3', 'order-2'])
      expect(referencesOf(await list(`${period}&method=pix`))).toEqual(['order-2'])
    })

    it('are bounded to the millisecond, filtered or not', async () => {
      const at = (ms: number) => encodeURIComponent(formatTimestamp(NOW_MS + 2 * MINUTE_MS + ms))
      for (const filter of ['', '&method=boleto']) {
        const listed = async (period: string) =>
          referencesOf(await list(`?${period}${filter}`)).filter((one) => one === 'order-3')
        expect(await listed(`created-from=${at(0)}&created-until=${at(1)}`)).toEqual(['order-3'])
        expect(await listed(`created-from=${at(1)}&created-until=${at(9)}`)).toEqual([])
        expect(await listed(`created-from=${at(-9)}&created-until=${at(0)}`)).toEqual([])
      }
    })

    it('refuse a cursor of a list in another order', async () => {
      const cursorOf = async (query: string) =>
        ((await list(`?limit=1${query}`)).json as unknown as Listed)['next-cursor'] ?? ''
      const [filtered, plain] = [await cursorOf('&method=pix'), await cursorOf('')]
      for (const query of [`cursor=${filtered}`, `cursor=${plain}&method=pix`])
        expect(await list(`?${query}`)).toMatchObject({ status: 400, codes: [90612] })
    })

    it('keep no response of a search, whatever key it has', async () => {
      const body = { 'payer-email': 'maria@example.com' }
      const headers = { 'idempotency-key': 'search-1' }
      const answer = await test.send('POST', '/payments/searches', { body, headers })
      expect(answer.status).toBe(200)
      const kept = test.database.reader.selectFrom('idempotency_keys').selectAll()
      expect(await kept.execute()).toEqual([])
    })

    it('find a payer by e-mail or document, page by page', async () => {
      const until = { 'created-until': formatTimestamp(NOW_MS + HOUR_MS) }
      for (const payer of [
        { 'payer-email': 'MARIA@example.com' },
        { 'payer-document': '52998224725' },
        { 'payer-email': 'maria@example.com', 'payer-document': '52998224725' },
      ])
        expect(
          await walk((cursor) =>
            search({ ...payer, ...until, limit: 2, ...(cursor !== undefined && { cursor }) }),
          ),
        ).toEqual(NEWEST_FIRST)
      const pix = { 'payer-email': 'maria@example.com', method: 'pix', ...until }
      expect(referencesOf(await search(pix))).toEqual(['order-5', 'order-2'])
      expect(referencesOf(await search({ 'payer-email': 'ana@example.com' }))).toEqual([])
      const other = { 'payer-email': 'maria@example.com', 'payer-document': '39053344705' }
      expect(referencesOf(await search(other))).toEqual([])
    })

    it('find nothing of another store', async () => {
      expect(referencesOf(await list('', OTHER_STORE))).toEqual([])
      expect(referencesOf(await list('?method=pix', OTHER_STORE))).toEqual([])
      expect(referencesOf(await list('?reference=order-1', OTHER_STORE))).toEqual([])
      expect(referencesOf(await search({ 'payer-document': '52998224725' }, OTHER_STORE))).toEqual(
        [],
      )
    })

    it.each([
      ['limit=1000&cursor=abc', [90611, 90612]],
      ['method=card', [90615]],
      ['status=PAID&amount=-1', [22119, 30308]],
      ['reference=a+b', [90019]],
      ['created-from=21/11/2026', [90613]],
    ])('are refused with %s', async (query, codes) => {
      const answer = await list(`?${query}`)
      expect(answer.status).toBe(400)
      expect(answer.codes.toSorted()).toEqual(codes.toSorted())
    })

    it.each([
      ['no payer', {}, ['payer-email']],
      [
        'a payer that is none',
        { 'payer-email': 'x', 'payer-document': '1' },
        ['payer-email', 'payer-document'],
      ],
      ['a cursor of another list', { 'payer-document': '52998224725', cursor: '1' }, ['cursor']],
      ['a limit', { 'payer-document': '52998224725', limit: 101 }, ['limit']],
    ])('refuse a search with %s', async (_, body, properties) => {
      const answer = await search(body)
      expect(answer.status).toBe(400)
      const errors = answer.json.errors as { code: number; property: string }[]
      expect(errors.map(({ property }) => property)).toEqual(properties)
      expect(new Set(answer.codes)).toEqual(new Set([90602]))
    })

    it('name the methods of their paths', async () => {
      const refused = await test.send('POST', '/payments/1', { body: {} })
      expect(refused).toMatchObject({ status: 405, codes: [90002] })
      expect(refused.headers.get('allow')).toBe('GET')
      const other = await test.send('PUT', '/payments/searches')
      expect(other.headers.get('allow')).toBe('POST, GET')
    })

    it('contain archived payments', async () => {
      await finish(test)
      test.time.nowMs = NOW_MS + 800 * DAY_MS
      await archiveAll(test.database, test.time.nowMs)
      expect(referencesOf(await list(`?${before}`))).toEqual(NEWEST_FIRST)
      expect(referencesOf(await list(`?${before}&method=pix`))).toEqual(['order-5', 'order-2'])
      expect(referencesOf(await list('?reference=order-3'))).toEqual(['order-3'])
    })
  })
