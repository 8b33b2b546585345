import { HOUR_MS, type LinkElement } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MERCHANT, NOW_MS } from '../../gateway/src/gateway.fixture.js'
import type { Merchant } from '../../gateway/src/model/merchant/merchant.js'
import { FOLLOWED, searchOf } from '../../search/src/search.fixture.js'
import { type LinkGateway, openLinks } from './links.fixture.js'
import { linkRequest, orderOf } from './payment-link.fixture.js'

const ADDRESS = 'notification-url'
const OF_STORE = 'https://shop.example/of-store'
const LATER = 'https://shop.example/later'
const OWN = 'https://shop.example/own'
const UNSET = { language: undefined, notificationUrl: undefined }
const [sqlite] = TEST_ENGINES

describe('a link that does not name what its store has', () => {
  let test: LinkGateway
  let nowMs: number
  beforeEach(async () => {
    nowMs = NOW_MS
    const clock = { now: () => nowMs }
    test = await openLinks(sqlite!, { ...FOLLOWED, clock, machineClock: clock })
    await set({ language: 'en-US', notificationUrl: OF_STORE })
  })
  afterEach(() => test.close())

  const set = (over: Partial<Merchant>) =>
    test.gateway.saveMerchant({ ...MERCHANT, ...UNSET, ...over })
  const sendLink = async (over: Record<string, unknown> = {}, headers = {}) => {
    const body = linkRequest('link-1', { [ADDRESS]: undefined, ...over })
    const { status, codes, json } = await test.send('POST', '/payment-links', { body, headers })
    return { status, codes, errors: json.errors, link: json['payment-link'] as LinkElement }
  }

  it('takes both and keeps them, and so do the payments made at it', async () => {
    const { link } = await sendLink()
    expect(link).toMatchObject({ language: 'en-US', [ADDRESS]: OF_STORE })
    await set({ language: 'es-ES', notificationUrl: LATER })
    const found = await test.room.paymentLinks.find(MERCHANT.id, link.code)
    expect(found?.link).toMatchObject({ language: 'en-US', notificationUrl: OF_STORE })
    await test.room.paymentPage.pay(link.code, orderOf('pix'))
    const { items } = await searchOf(test).payments.find(MERCHANT.id, { limit: 1 })
    expect(items[0]?.transaction).toMatchObject({ notificationUrl: OF_STORE })
  })

  it('keeps what it names', async () => {
    const named = { language: 'pt-BR', [ADDRESS]: OWN }
    expect((await sendLink(named)).link).toMatchObject(named)
  })

  it('is in Portuguese, and names an address, where the store has neither', async () => {
    await set({})
    expect(await sendLink()).toMatchObject({
      status: 400,
      errors: [{ code: 90501, property: ADDRESS, constraint: 'required' }],
    })
    expect((await sendLink({ [ADDRESS]: OWN })).link.language).toBe('pt-BR')
  })

  it('made in the console takes them too', async () => {
    const body = linkRequest('link-1', { [ADDRESS]: undefined })
    const made = await test.room.paymentLinks.create(MERCHANT.id, { body, actor: 'store' })
    expect(made).toMatchObject({ link: { language: 'en-US', notificationUrl: OF_STORE } })
  })

  it('is found by the request that died before its answer, whatever the store has since', async () => {
    const key = { 'idempotency-key': 'key-1' }
    const keeping = vi.spyOn(test.parts.idempotency, 'keepResponse')
    keeping.mockRejectedValueOnce(new Error('killed'))
    expect((await sendLink({}, key)).status).toBe(500)
    await set({ language: 'es-ES', notificationUrl: LATER, installmentsMax: 18 })
    nowMs += HOUR_MS
    expect(await sendLink({}, key)).toMatchObject({
      status: 201,
      link: { language: 'en-US', [ADDRESS]: OF_STORE, installments: 12 },
    })
  })
})
