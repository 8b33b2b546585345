import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, type TestAdyen, openTestAdyen, paymentOf } from '../../test/simulated-adyen.js'

describe('an idempotency key at the simulated Adyen', () => {
  let adyen: TestAdyen
  let release: () => void
  beforeEach(async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    release = () => {
      resolve(undefined)
    }
    adyen = await openTestAdyen({ wait: () => promise })
  })
  afterEach(async () => {
    release()
    await adyen.close()
  })

  const pay = (key: string, reference = 'order') =>
    adyen.post('/payments', paymentOf(reference), { key })
  const disturb = (effect: Parameters<typeof adyen.adyen.disturbances.add>[0]['effect']) => {
    adyen.adyen.disturbances.add({ effect })
  }

  it('gets the same answer again, and one charge', async () => {
    const [first, again] = [await pay('k1'), await pay('k1')]
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotency-key']).toBe('k1')
    expect(adyen.adyen.tallyOf('order')).toMatchObject({ attempts: 1, charges: 1 })
    expect(await adyen.notices()).toHaveLength(1)
  })

  it('charges twice under two keys, or under none', async () => {
    for (const key of ['k1', 'k2']) await pay(key)
    await adyen.post('/payments', paymentOf('order'))
    expect(adyen.adyen.tallyOf('order').charges).toBe(3)
  })

  it('gets the answer whose connection was cut after the charge', async () => {
    disturb({ kind: 'cut', when: 'after' })
    await expect(pay('k1')).rejects.toThrow()
    expect((await pay('k1')).body.resultCode).toBe('Authorised')
    expect(adyen.adyen.tallyOf('order')).toMatchObject({ attempts: 1, charges: 1 })
  })

  it('is carried out once where the connection was cut before the charge', async () => {
    disturb({ kind: 'cut', when: 'before' })
    await expect(pay('k1')).rejects.toThrow()
    expect(adyen.adyen.tallyOf('order').attempts).toBe(0)
    await pay('k1')
    expect(adyen.adyen.tallyOf('order').charges).toBe(1)
  })

  it('asks to try again while the first call is still running', async () => {
    disturb({ kind: 'late', delayMs: 18_000 })
    const first = pay('k1')
    await expect.poll(() => adyen.adyen.tallyOf('order').attempts).toBe(1)
    const concurrent = await pay('k1')
    expect(concurrent).toMatchObject({ status: 422, body: { errorCode: '704' } })
    expect(concurrent.headers['transient-error']).toBe('true')
    release()
    expect((await pay('k1')).text).toBe((await first).text)
    expect(adyen.adyen.tallyOf('order')).toMatchObject({ attempts: 1, charges: 1 })
  })

  it('refunds once', async () => {
    const { pspReference } = (await pay('k1')).body
    disturb({ kind: 'cut', when: 'after' })
    const body = { merchantAccount: MERCHANT, amount: { currency: 'BRL', value: 1_000 } }
    const refund = () => adyen.post(`/payments/${pspReference}/refunds`, body, { key: 'r1' })
    await expect(refund()).rejects.toThrow()
    expect((await refund()).status).toBe(201)
    expect(adyen.adyen.tallyOf('order')).toMatchObject({ refunds: 1, refundedMinor: 1_000 })
  })

  it('is of one account, and no longer than 64', async () => {
    await pay('k1')
    const merchantAccount = 'Another'
    const { apiKey } = await adyen.openAccount({ merchantAccount })
    const headers = { 'X-API-Key': apiKey.reveal() }
    const body = paymentOf('theirs', { merchantAccount })
    await adyen.post('/payments', body, { headers, key: 'k1' })
    expect(adyen.adyen.tallyOf('theirs').charges).toBe(1)
    expect((await pay('k'.repeat(65))).status).toBe(422)
  })

  it('also keeps a refusal', async () => {
    const wrong = { ...paymentOf('order'), amount: undefined }
    const ask = () => adyen.post('/payments', wrong, { key: 'k1', isWrong: true })
    expect((await ask()).text).toBe((await ask()).text)
  })
})
