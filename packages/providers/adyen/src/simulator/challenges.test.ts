import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, type TestAdyen, openTestAdyen, paymentOf } from '../../test/simulated-adyen.js'
import { CHALLENGED_CARD } from './outcomes.js'

interface Redirect {
  readonly resultCode: string
  readonly action: { readonly type: string; readonly method: string; readonly url: string }
}

const CARD = { number: CHALLENGED_CARD }

describe('a payment whose holder Adyen has authenticated', () => {
  let adyen: TestAdyen
  beforeEach(async () => {
    adyen = await openTestAdyen()
  })
  afterEach(() => adyen.close())

  const askedFor = async (reference: string, card: object = CARD) => {
    const { body } = await adyen.post('/payments', paymentOf(reference, {}, card))
    const { action } = body as unknown as Redirect
    const id = action.url.split('/').at(-1) ?? ''
    return { action, id }
  }
  const open = async (id: string, answer?: string) => {
    const first = await adyen.page(new Request(pageOf(`/challenges/${id}`), { headers: HOST() }))
    if (answer === undefined) return first
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    const csrf = /name="csrf" value="([^"]+)"/.exec(await first.text())?.[1] ?? ''
    const form = { method: 'POST', body: new URLSearchParams({ csrf }) }
    const headers = { ...HOST(), Cookie: cookie, Origin: adyen.pageUrl }
    return await adyen.page(
      new Request(pageOf(`/challenges/${id}/${answer}`), { ...form, headers }),
    )
  }
  const pageOf = (path: string) => new URL(path, adyen.pageUrl)
  const HOST = () => ({ Host: new URL(adyen.pageUrl).host })
  const bringBack = async (id: string) => {
    const refresh = (await open(id)).headers.get('refresh') ?? ''
    return new URL(refresh.replace('0;url=', ''))
  }
  const details = (redirectResult: string, key?: string) =>
    adyen.post(
      '/payments/details',
      { details: { redirectResult } },
      key === undefined ? {} : { key },
    )

  it('is answered with a page of Adyen’s, and charges nothing', async () => {
    const { action } = await askedFor('asked')
    expect(action).toMatchObject({ type: 'redirect', method: 'GET' })
    expect(adyen.adyen.tallyOf('asked')).toMatchObject({ attempts: 1, charges: 0 })
    expect(await adyen.notices()).toEqual([])
  })

  it.each([
    ['passed', CARD, { resultCode: 'Authorised', additionalData: { eci: '05' } }, 'true'],
    ['failed', CARD, { resultCode: 'Refused', refusalReasonCode: '11' }, 'false'],
    [
      'passed',
      { ...CARD, holderName: 'NOT_ENOUGH_BALANCE' },
      { resultCode: 'Refused', refusalReasonCode: '12' },
      'false',
    ],
  ])(
    'ends by its holder’s answer and the name on the card: %s %j',
    async (answer, card, end, success) => {
      const { id } = await askedFor('order', card)
      expect((await open(id, answer)).status).toBe(303)
      const back = await bringBack(id)
      expect(back.origin + back.pathname).toBe('https://shop.example/return')
      expect(await adyen.notices()).toEqual([])
      const result = back.searchParams.get('redirectResult') ?? ''
      const { body } = await details(result, 'key')
      expect(body).toMatchObject({ ...end, merchantReference: 'order' })
      expect((await details(result, 'key')).body).toEqual(body)
      expect((await details(result)).body).toEqual(body)
      expect(await adyen.notices()).toMatchObject([
        { eventCode: 'AUTHORISATION', merchantReference: 'order', success },
      ])
    },
  )

  it('takes no result that no holder has given', async () => {
    const { id } = await askedFor('asked')
    const { challenge } = [...adyen.adyen.book.payments.values()][0]!
    for (const result of ['made-up', challenge?.redirectResult ?? ''])
      expect(await details(result)).toMatchObject({ status: 422, body: { errorCode: '702' } })
    expect((await open('nowhere')).status).toBe(404)
    expect((await open(id)).headers.get('refresh')).toBeNull()
  })

  it('is authorised no more once the shop has cancelled it', async () => {
    const { id } = await askedFor('late')
    await open(id, 'passed')
    const back = await bringBack(id)
    await adyen.post('/cancels', { merchantAccount: MERCHANT, paymentReference: 'late' })
    const { body } = await details(back.searchParams.get('redirectResult') ?? '')
    expect(body).toMatchObject({ resultCode: 'Refused', refusalReasonCode: '15' })
    expect(adyen.adyen.tallyOf('late')).toMatchObject({ charges: 0 })
    expect(await adyen.notices()).toMatchObject([
      { eventCode: 'TECHNICAL_CANCEL', success: 'true' },
    ])
  })

  it.each([
    [{ shopperInteraction: 'ContAuth' }],
    [{ mpiData: { authenticationResponse: 'Y', directoryResponse: 'Y', eci: '05' } }],
  ])('asks no holder who is absent, or was asked before: %j', async (changes) => {
    expect(await adyen.pay('there', changes, CARD)).toMatchObject({ resultCode: 'Authorised' })
  })
})
