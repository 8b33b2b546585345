import { describe, expect, it } from 'vitest'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { MERCHANT, type TestAdyen, openTestAdyen, paymentOf } from '../../test/simulated-adyen.js'
import { VISA } from '../../../../provider-kit/test/card-acquirer.js'
import {
  createRepeatableBytes,
  folderOfEachTest,
} from '../../../../provider-kit/test/simulator-parts.js'

describe('an Adyen that starts again', () => {
  const folder = folderOfEachTest('adyen')
  const start = (seed: string) =>
    openTestAdyen({ folder: folder(), randomBytes: createRepeatableBytes(seed) })
  const talliesOf = ({ adyen }: TestAdyen) =>
    ['order', 'refused', 'pending', 'later', 'expired'].map((reference) => adyen.tallyOf(reference))

  it('has its payments, refunds, disputes and sent notices', async () => {
    const first = await start('first')
    const { controls, conditions, book } = first.adyen
    conditions.refunds = 'held'
    const { pspReference } = await first.pay('order', { installments: { value: 3 } })
    await first.pay('refused', {}, { holderName: 'DECLINED : 41 : Lost card' })
    const pending = await first.pay('pending', {}, { holderName: 'PENDING' })
    await first.pay('later', { additionalData: { manualCapture: 'true' } })
    const expired = await first.pay('expired', { additionalData: { manualCapture: 'true' } })
    controls.expire(expired.pspReference)
    await first.post('/cancels', { merchantAccount: MERCHANT, paymentReference: 'later' })
    await first.post('/cancels', { merchantAccount: MERCHANT, paymentReference: 'none' })
    const refund = { merchantAccount: MERCHANT, amount: { currency: 'BRL', value: 1_000 } }
    const answer = await first.post(`/payments/${pspReference}/refunds`, refund)
    controls.chargeBack(pspReference)
    controls.reverseChargeback(pspReference)
    controls.refundAtAcquirer(pspReference, 500)
    const before = [...book.payments.values()]
    const tallies = talliesOf(first)
    await first.close()
    // No whole card number is stored.
    const text = await readFile(path.join(folder(), 'books.jsonl'), 'utf8')
    expect(text).not.toContain(VISA)
    expect(text).not.toContain('"737"')

    const second = await start('second')
    expect([...second.adyen.book.payments.values()]).toEqual(before)
    expect(talliesOf(second)).toEqual(tallies)
    // An open refund continues, and the notice goes to the account's current address.
    second.adyen.controls.endRefund(answer.body.pspReference, 'done')
    second.adyen.controls.endPayment(pending.pspReference, 'authorised')
    second.adyen.controls.failCapture(pending.pspReference)
    second.adyen.controls.send(second.adyen.controls.eventsOf(pspReference).slice(0, 1))
    expect((await second.notices()).map(({ eventCode }) => eventCode)).toEqual([
      'REFUND',
      'AUTHORISATION',
      'CAPTURE_FAILED',
      'AUTHORISATION',
    ])
    await second.close()
  })

  it('gives a repeat the first answer, a refusal too', async () => {
    const requests = [
      { body: paymentOf('order'), key: 'k1' },
      { body: { ...paymentOf('wrong'), amount: undefined }, key: 'k2', isWrong: true as const },
    ]
    const ask = (adyen: TestAdyen) =>
      Promise.all(
        requests.map(async ({ body, ...options }) => {
          const { status, text } = await adyen.post('/payments', body, options)
          return { status, text }
        }),
      )
    const first = await start('first')
    const answers = await ask(first)
    await first.close()
    const second = await start('second')
    expect(await ask(second)).toEqual(answers)
    expect(second.adyen.tallyOf('order')).toMatchObject({ attempts: 1, charges: 1 })
    // No notice is sent twice.
    expect(await second.notices()).toEqual([])
    await second.close()
  })
})
