import { DAY_MS } from '@cofre/contracts'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { APPROVED, openTestCielo } from '../../test/simulated-cielo.js'
import {
  createRepeatableBytes,
  folderOfEachTest,
} from '../../../../provider-kit/test/simulator-parts.js'

const OPEN_CARD = { CardNumber: '4024007153763199' }

describe('a Cielo that starts again', () => {
  const folder = folderOfEachTest('cielo')
  const start = (seed: string) =>
    openTestCielo({ folder: folder(), randomBytes: createRepeatableBytes(seed) })

  it('knows its sales, cancels, disputes and alerts', async () => {
    const first = await start('first')
    const { controls, book } = first.cielo
    const { PaymentId } = await first.sell('order')
    await first.sell('denied', {}, { CardNumber: `${APPROVED.slice(0, -1)}2` })
    const open = await first.sell('open', {}, OPEN_CARD)
    const cancelled = await first.sell('cancelled', { Capture: false })
    await first.put(`${cancelled.PaymentId}/void`)
    const captured = await first.sell('captured', { Capture: false })
    await first.put(`${captured.PaymentId}/capture?amount=2000`)
    controls.expire((await first.sell('expired', { Capture: false })).PaymentId)
    first.clock.advance(DAY_MS)
    await first.put(`${PaymentId}/void?amount=1000`)
    controls.refundAtAcquirer(captured.PaymentId, 500)
    controls.chargeBack(PaymentId)
    controls.reverseChargeback(PaymentId)
    controls.alertOfFraud(PaymentId)
    const before = [...book.sales.values()]
    await first.close()
    // No whole card number is stored.
    const text = await readFile(path.join(folder(), 'books.jsonl'), 'utf8')
    expect(text).not.toContain(APPROVED)
    expect(text).not.toContain('"123"')

    const second = await start('second')
    expect([...second.cielo.book.sales.values()]).toEqual(before)
    expect((await second.get('?merchantOrderId=order')).status).toBe(200)
    // An open sale continues, and the notice goes to the account's current address.
    second.cielo.controls.endSale(open.PaymentId, 'authorized')
    second.cielo.controls.refuseVoid(PaymentId)
    expect((await second.get(`/${open.PaymentId}`)).body.Payment).toMatchObject({ Status: 2 })
    expect(await second.notices()).toEqual([
      { PaymentId: open.PaymentId, ChangeType: 1 },
      { PaymentId, ChangeType: 5 },
    ])
    await second.close()
  })

  it('has the account under the id that it was given', async () => {
    const cielo = await start('given')
    const merchantId = '0F4E3C2B-0000-4000-8000-00000000ABCD'
    const opened = await cielo.openAccount({ label: 'other', merchantId })
    expect(opened.merchantId).toBe(merchantId.toLowerCase())
    await cielo.close()
  })
})
