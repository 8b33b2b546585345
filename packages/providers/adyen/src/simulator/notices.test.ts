import { randomBytes } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, type TestAdyen, openTestAdyen, paymentOf } from '../../test/simulated-adyen.js'
import { createAdyen } from './adyen.js'
import { createRecords } from './book.js'

describe('notices of the simulated Adyen', () => {
  let adyen: TestAdyen
  beforeEach(async () => {
    adyen = await openTestAdyen()
  })
  afterEach(() => adyen.close())

  it('come twice, or never', async () => {
    const { conditions } = adyen.adyen
    conditions.notices = 'twice'
    await adyen.pay('twice')
    conditions.notices = 'never'
    await adyen.pay('never')
    expect((await adyen.notices()).map((item) => item.merchantReference)).toEqual([
      'twice',
      'twice',
    ])
  })

  it('come late, after the notices of later events', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const waited: number[] = []
    const wait = (ms: number) => (waited.push(ms), promise)
    const slow = await openTestAdyen({ wait })
    slow.adyen.conditions.notices = 'late'
    await slow.pay('late')
    slow.adyen.conditions.notices = 'once'
    await slow.pay('in time')
    expect((await slow.notices()).map((item) => item.merchantReference)).toEqual(['in time'])
    resolve(undefined)
    await promise
    expect((await slow.notices()).map((item) => item.merchantReference)).toEqual([
      'in time',
      'late',
    ])
    expect(waited).toEqual([60_000])
    await slow.close()
  })

  it('come again and in any order, if a test requires it', async () => {
    const { controls, conditions } = adyen.adyen
    conditions.notices = 'never'
    const { pspReference } = await adyen.pay('order')
    controls.chargeBack(pspReference)
    controls.send(controls.eventsOf(pspReference).toReversed())
    expect((await adyen.notices()).map((item) => item.eventCode)).toEqual([
      'CHARGEBACK',
      'AUTHORISATION',
    ])
  })

  it('are signed with the key that is valid when they leave', async () => {
    const { controls } = adyen.adyen
    const { pspReference } = await adyen.pay('order')
    controls.signWith(MERCHANT, new Secret(randomBytes(32).toString('hex')))
    controls.send(controls.eventsOf(pspReference))
    const [first, again] = await adyen.notices()
    expect(again?.additionalData.hmacSignature).not.toBe(first?.additionalData.hmacSignature)
    expect(() => {
      controls.signWith('none', adyen.credentials.hmacKey)
    }).toThrow(RangeError)
  })

  it('are not sent without an address, and have their result', async () => {
    const { controls, notices } = adyen.adyen
    controls.setNoticeUrl(MERCHANT, undefined)
    await adyen.pay('nowhere')
    controls.setNoticeUrl(MERCHANT, 'https://127.0.0.1:1/notices')
    await adyen.pay('away')
    await notices.settled()
    expect(notices.attempts).toMatchObject([
      { event: 'AUTHORISATION', reference: 'away', result: { failure: 'ECONNREFUSED' } },
    ])
  })

  it('arrive though the answer to the request does not', async () => {
    adyen.adyen.disturbances.add({ effect: { kind: 'cut', when: 'after' } })
    await expect(adyen.pay('order')).rejects.toThrow()
    expect(await adyen.notices()).toMatchObject([{ merchantReference: 'order', success: 'true' }])
  })
})

describe('an Adyen that is disturbed', () => {
  it('gives a test’s answer, and books nothing', async () => {
    const adyen = await openTestAdyen()
    const effect = {
      kind: 'answer',
      status: 502,
      headers: { 'Content-Type': 'text/html' },
      body: '<h1>Bad Gateway</h1>',
    } as const
    adyen.adyen.disturbances.add({ effect })
    const answer = await adyen.post('/payments', paymentOf('order'), { isStrange: true })
    expect(answer).toMatchObject({ status: 502, text: effect.body })
    expect(adyen.adyen.tallyOf('order').attempts).toBe(0)
    await adyen.close()
  })

  it('is away until it is back', async () => {
    const adyen = await openTestAdyen()
    adyen.adyen.conditions.connection = 'cut-before'
    await expect(adyen.pay('order')).rejects.toThrow()
    adyen.adyen.conditions.connection = 'kept'
    expect((await adyen.pay('order')).resultCode).toBe('Authorised')
    await adyen.close()
  })

  it('ends connections before a request is sent while it is away', async () => {
    const adyen = await openTestAdyen()
    adyen.adyen.conditions.connection = 'away'
    await expect(adyen.pay('order')).rejects.toThrow('before secure TLS connection')
    adyen.adyen.conditions.connection = 'kept'
    await adyen.pay('order')
    expect(adyen.adyen.tallyOf('order').attempts).toBe(1)
    await adyen.close()
  })

  it('waits by the real time by default', () => {
    const post = () => Promise.resolve({ status: 200 })
    const deps = { clock: { now: () => 0 }, randomBytes: () => new Uint8Array(), post }
    const books = { records: createRecords(), append: () => undefined }
    expect(createAdyen({ ...deps, books }).wait).toBeTypeOf('function')
  })
})
