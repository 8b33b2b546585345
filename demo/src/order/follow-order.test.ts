import type { SearchElement } from '@cofre/merchant'
import { describe, expect, it } from 'vitest'
import { FIRST_CODE } from '../merchant-client.fixture.js'
import { shopWithOrder, textByTestId } from '../shopper.fixture.js'

const shopWithPix = async () => await shopWithOrder('PENDING', 'pix')

const refund = (
  status: 'PROCESSING' | 'PROCESSED' | 'REJECTED',
  amount = '100.00',
): SearchElement['refunds'][0] => ({
  'refund-id': '7',
  'refund-status': status,
  'refund-amount': amount,
  'refund-date': '2026-09-03T12:00:00.000-03:00',
  'refund-processing-date': null,
  'refund-reference': 'only for the shop',
  'refund-origin': 'store',
})

const versionOf = (html: string) => /data-version="([^"]*)"/.exec(html)?.[1]

describe('a page that is open', () => {
  it('shows a payment when it asks again, under another version', async () => {
    const { notify, page } = await shopWithPix()
    const before = await page()
    expect(before).toContain('data-poll-ms="2000"')
    await notify({ status: 'COMPLETE' })
    const after = await page()
    expect(versionOf(after)).not.toBe(versionOf(before))
    expect(after).toContain('data-news="O pedido mudou: Pago"')
    expect(after).not.toContain('data-testid="pix"')
  })

  it('has nothing new when a notification comes twice', async () => {
    const { notify, page } = await shopWithPix()
    await notify({ status: 'COMPLETE' })
    const once = versionOf(await page())
    await notify({ status: 'COMPLETE' })
    expect(versionOf(await page())).toBe(once)
  })

  it('shows the order to no other browser', async () => {
    const { newShopper } = await shopWithPix()
    expect((await newShopper().post(`/orders/${FIRST_CODE}/again`)).status).toBe(404)
  })
})

describe('every status of the service', () => {
  it.each([
    ['PENDING', 'pending', 'Aguardando pagamento'],
    ['UNDER-REVIEW', 'review', 'Em análise'],
    ['COMPLETE', 'paid', 'Pago'],
    ['CANCELLED', 'cancelled', 'Cancelado'],
    ['EXPIRED', 'expired', 'Expirado'],
    ['NOT-PAID', 'unpaid', 'Não pago'],
    ['REFUNDED', 'refunded', 'Reembolsado'],
    ['CHARGEBACK', 'chargeback', 'Contestado'],
  ] as const)('%s is %s, in words', async (status, state, words) => {
    const { notify, page } = await shopWithPix()
    await notify({ status })
    const html = await page()
    expect(html).toContain(`data-testid="order-status" data-state="${state}"`)
    expect(textByTestId(html, 'order-status')).toBe(words)
    expect(html).toContain(`data-testid="result" data-state="${state}"`)
    expect(html).toMatch(/<h1>[^<]+<\/h1><p class="lead">[^<]+ <span/)
  })
})

describe('a refund', () => {
  it('is shown once it is done, without the shop’s own words for it', async () => {
    const { notify, page } = await shopWithPix()
    await notify({ status: 'COMPLETE', refunds: [refund('PROCESSING')] })
    expect(textByTestId(await page(), 'order-status')).toBe('Pago')
    await notify({ status: 'REFUNDED', refunds: [refund('PROCESSED')] })
    const html = await page()
    expect(textByTestId(html, 'order-status')).toBe('Reembolsado')
    expect(html).not.toContain('only for the shop')
  })

  it('of a part leaves the rest', async () => {
    const { notify, page } = await shopWithPix()
    await notify({ status: 'REFUNDED', refunds: [refund('PROCESSED', '12.50')] })
    expect(textByTestId(await page(), 'order-status')).toBe('Reembolsado em parte')
  })

  it('that fails after it was done gave nothing back', async () => {
    const { notify, page } = await shopWithPix()
    await notify({ status: 'REFUNDED', refunds: [refund('PROCESSED')] })
    await notify({ status: 'REFUNDED', refunds: [refund('REJECTED')] })
    expect(textByTestId(await page(), 'order-status')).toBe('Reembolso não feito')
    expect(await page()).toContain('O valor não voltou')
  })
})
