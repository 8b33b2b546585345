import { DAY_MS, type Decline, minorUnits } from '@cofre/contracts'
import type { BankChargeDetails, BoletoDetails, Refund, Transaction } from '@cofre/gateway/room'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type Developer,
  type OpenPanel,
  SANDBOX_URL,
  openPanelForTest,
  signedIn,
  visibleText,
  NOW_MS,
  OTHER_STORE_ID,
  SECRET,
  shownAccount,
  PIX_PAID_TWICE,
  WAITING_REFUND,
  pixTransaction,
  refusedNotification,
  refusedRequest,
} from '../../../../panel/src/testing/whole-console.fixture.js'

let panel: OpenPanel & { readonly developer: Developer }
beforeEach(async () => {
  panel = await signedIn()
})

const textAt = async (path: string): Promise<string> =>
  visibleText((await panel.developer.get(path)).html)

describe('a card that an account has charged', () => {
  const charge = {
    accountId: 'adyen-1',
    provider: 'adyen',
    paymentId: 'PSP7',
    nsu: '662000',
    authorizationCode: '014477',
    liabilityShift: true,
  }
  const charged = (details: Parameters<typeof pixTransaction>[1] = {}) =>
    panel.held.transactions.push(
      pixTransaction(
        {
          status: 'CHARGEBACK',
          paymentType: 'credit-card',
          subType: 'visa',
          paymentDetails: { kind: 'card', charge, decline: undefined },
        },
        details,
      ),
    )

  it('is shown as its acquirer knows it', async () => {
    charged()
    expect(await textAt('/payments/1001')).toContain('Account adyen …en-1 adyen-1')
    panel.held.accounts.push(shownAccount('adyen-1', 'Adyen, site'))
    expect(await textAt('/payments/1001')).toContain(
      'At the acquirer Account Adyen, site adyen-1 Payment PSP7 NSU 662000 Authorization code 014477 Fraud liability the card’s bank',
    )
  })

  it('is shown with its disputes, and the acquirer’s words', async () => {
    charged({
      cardChanges: [
        {
          id: 'change-1',
          transactionCode: 1001 as Transaction['code'],
          kind: 'dispute_announced',
          atMs: NOW_MS,
          amountMinor: minorUnits(10_478),
          detail: 'Fraud 10.4',
        },
      ],
    })
    expect(await textAt('/payments/1001')).toContain(
      'BRL 104.78 dispute: no money has moved yet At Nov 21, 2026, 09:00:00 Acquirer Fraud 10.4',
    )
  })

  it('is not shown if the sandbox’s own bank has simulated it', async () => {
    panel.held.transactions.push(pixTransaction({ paymentType: 'credit-card' }))
    expect(await textAt('/payments/1001')).not.toContain('At the acquirer')
  })
})

describe('a card that was declined', () => {
  const declined = (decline: Decline) =>
    pixTransaction({
      status: 'CANCELLED',
      paymentType: 'credit-card',
      subType: 'visa',
      paymentDetails: { kind: 'card', charge: undefined, decline },
    })

  it.each<[string, Decline, readonly string[], string]>([
    [
      'a retry from a day on',
      { reason: 'insufficient_funds', code: '51', retry: { kind: 'allowed', afterMs: DAY_MS } },
      [
        'Declined Reason The account has insufficient',
        'insufficient_funds · code from the bank or acquirer: 51',
        'Retry the same card, unchanged from Nov 22, 2026, 09:00:00',
      ],
      'never',
    ],
    [
      'a retry at once',
      { reason: 'generic', code: '05', retry: { kind: 'allowed', afterMs: 0 } },
      ['Declined Reason', 'What to do Ask for another card', 'Retry the same card, unchanged now'],
      'never',
    ],
    [
      'none, and no code',
      { reason: 'stolen_card', retry: { kind: 'never' } },
      [
        'Reason The card was reported stolen. What to do',
        'Retry the same card, unchanged never',
        'Message for the shopper The bank didn’t approve this payment.',
      ],
      'code from the bank',
    ],
  ])('shows why, what to do, and %s', async (_, decline, parts, absent) => {
    panel.held.transactions.push(declined(decline))
    const text = await textAt('/payments/1001')
    for (const part of parts) expect(text).toContain(part)
    expect(text).not.toContain(absent)
  })

  it('shows nothing of a decline for a card that pays', async () => {
    const paymentDetails = { kind: 'card', charge: undefined, decline: undefined } as const
    panel.held.transactions.push(pixTransaction({ paymentType: 'credit-card', paymentDetails }))
    expect(await textAt('/payments/1001')).not.toContain('Declined')
  })
})

describe('a PIX at the bank of an account', () => {
  const atBank: Refund = {
    ...WAITING_REFUND,
    status: 'PROCESSED',
    reference: undefined,
    providerRefundId: 'D77',
    nature: 'MED_FRAUDE',
  }
  beforeEach(() => {
    panel.held.transactions.push(
      pixTransaction({ status: 'REFUNDED' }, { bankCharge: PIX_PAID_TWICE, refunds: [atBank] }),
      pixTransaction({ reference: 'order-2', code: 1002 }),
    )
  })

  it('shows its account, its charge, and what each payment was for', async () => {
    const text = await textAt('/payments/1001')
    for (const part of [
      'PIX at the bank Account Efí, test efi-test',
      `txid ${'a'.repeat(32)} Charge closed`,
      'E0001 Paid Nov 21, 2026, 09:00:00 For the order Refunds at the bank BRL 50.00, done D77',
      'E0002 Paid Nov 21, 2026, 09:00:00 For no order (already paid)',
      'Surplus on its way back to the payer',
      'Done PROCESSED BRL 50.00 501 made at the provider (D77)',
    ])
      expect(text).toContain(part)
    expect(await textAt('/payments/1002')).not.toContain('PIX at the bank')
  })

  it('shows why the bank refunded it: with the refund, in the history, and in the file', async () => {
    const why = 'The bank refunded it on suspicion of fraud (MED).'
    const text = await textAt('/payments/1001')
    expect(text.split(why)).toHaveLength(3)
    expect(text).toContain(`(D77) Reason ${why}`)
    expect(text).toContain(`reported by the provider ${why}`)
    const file = await panel.developer.get('/payments.csv?separator=comma')
    expect(file.html).toContain('MED_FRAUDE')
  })

  it('offers no button for a refund that the bank decides on', async () => {
    const { bankCharge } = panel.held.transactions[0]!
    const refunds = [{ ...atBank, status: 'PROCESSING' }] as const
    panel.held.transactions[0] = pixTransaction({}, { bankCharge, refunds })
    expect((await panel.developer.get('/payments/1001')).html).not.toContain('/refunds/501')
  })

  it('is marked in the list where there is a surplus', async () => {
    const text = await textAt('/payments')
    expect(text.split('surplus')).toHaveLength(2)
    expect(text).toMatch(/1001 Refunded REFUNDED in part surplus/)
    const brazilian = panel.newDeveloper({ 'Accept-Language': 'pt-BR' })
    await brazilian.signIn()
    expect(visibleText((await brazilian.get('/payments')).html)).toContain('valor a mais')
    expect(visibleText((await brazilian.get('/payments/1001')).html)).toContain(
      'Valor a mais voltando para o pagador',
    )
  })
})

describe('a boleto at the bank of an account', () => {
  const ISSUED = {
    kind: 'boleto',
    barcode: '0'.repeat(44),
    digitableLine: '1'.repeat(47),
    pixCode: '000201-pix-of-the-boleto',
    accountId: 'inter-test',
    dueDate: '2026-11-24',
    payerName: 'Maria da Silva',
  } as const
  const AT_BANK: BankChargeDetails = {
    ...PIX_PAID_TWICE,
    accountId: 'inter-test',
    accountLabel: 'Inter, test',
    method: 'boleto',
    name: 'ABCDEFGHIJKLMNO' as BankChargeDetails['name'],
    state: 'live',
    bankExpiresAtMs: undefined,
    dueDate: '2026-11-24',
    payments: [],
  }
  const show = (
    over: Partial<Transaction>,
    bankCharge: Partial<BankChargeDetails> = {},
    details: Partial<BoletoDetails> = {},
  ) => {
    const paymentDetails = { ...ISSUED, ...details }
    const boleto = { paymentType: 'postpay', subType: 'boleto', paymentDetails } as const
    panel.held.transactions.push(
      pixTransaction({ ...boleto, ...over }, { bankCharge: { ...AT_BANK, ...bankCharge } }),
    )
  }

  it('is shown while it is issued, without a code', async () => {
    show({}, {}, { barcode: undefined, digitableLine: undefined, pixCode: undefined })
    const { html } = await panel.developer.get('/payments/1001')
    const text = visibleText(html)
    expect(text).toContain(
      'Boleto at the bank Account Inter, test inter-test ' +
        'Our id (seuNumero) ABCDEFGHIJKLMNO Charge being issued: it can’t be paid yet',
    )
    expect(text).toContain('The bank is still issuing it.')
    expect(html).not.toMatch(/id="(boleto-line|pix-code)"/)
  })

  it('has its line, its PIX, its number at the bank and the bank’s PDF once it is issued', async () => {
    show({}, { issuedAtMs: NOW_MS + 60_000, ourNumber: '00123456789' })
    const { html } = await panel.developer.get('/payments/1001')
    const text = visibleText(html)
    expect(text).toContain('Charge open: the payer has the code')
    expect(text).toContain('Number at the bank (nosso número) 00123456789 Due Nov 24, 2026')
    expect(text).toContain('Issued Nov 21, 2026, 09:01:00')
    expect(text).toContain('000201-pix-of-the-boleto')
    expect(html).toContain(`href="${SANDBOX_URL}/b/abcdefghijklmnop.pdf"`)
  })

  it.each([
    ['line', 'Paid by line or bar code', 'which the bank can’t refund'],
    ['elsewhere', 'Paid by marked as paid at the bank', 'the bank received no money for it'],
  ] as const)('says how it was paid by %s, and why nothing goes back', async (way, paid, why) => {
    const payment = { ...PIX_PAID_TWICE.payments[0]!, bankRefunds: [], way }
    show({ status: 'COMPLETE' }, { payments: [payment] }, { paidBy: way })
    const text = visibleText((await panel.developer.get('/payments/1001')).html)
    expect(text).toContain(paid)
    expect(text).toContain(why)
  })

  it('gives no reason against a refund of what PIX has paid', async () => {
    show({ status: 'COMPLETE' }, { payments: [PIX_PAID_TWICE.payments[0]!] }, { paidBy: 'pix' })
    const text = visibleText((await panel.developer.get('/payments/1001')).html)
    expect(text).toContain('Paid by PIX')
    expect(text).not.toContain('which the bank can’t refund')
  })

  it('shows why it was abandoned', async () => {
    show({ status: 'CANCELLED' }, { state: 'closed', reason: 'CPF do pagador inválido' })
    const text = visibleText((await panel.developer.get('/payments/1001')).html)
    expect(text).toContain('Reason for withdrawing it CPF do pagador inválido')
  })
})

describe('the page of a transaction', () => {
  it('shows everything that happened to it', async () => {
    panel.held.transactions.push(
      pixTransaction(
        { status: 'COMPLETE' },
        {
          history: [
            { status: 'PENDING', atMs: NOW_MS },
            { status: 'COMPLETE', atMs: NOW_MS + 60_000 },
          ],
          refunds: [WAITING_REFUND],
          notifications: [refusedNotification()],
        },
      ),
    )
    panel.held.requests.push(refusedRequest({ id: 3, statusCode: 201, errorCodes: [] }))
    const { html } = await panel.developer.get('/payments/1001')
    const text = visibleText(html)
    for (const part of [
      'Created: Waiting PENDING Nov 21, 2026, 09:00:00 Refund of BRL 50.00 requested Nov 21, 2026, 09:00:00 Paid COMPLETE Nov 21, 2026, 09:01:00',
      'In progress PROCESSING BRL 50.00 501 refund-1',
      '2 attempts no response',
      'Attempt 1 answered 500',
      'the shop broke',
      'Error: connection-refused',
      'Next attempt: Nov 21, 2026, 09:10',
      '201 POST /transactions',
    ])
      expect(text).toContain(part)
    expect(html).toContain('src="data:image/svg+xml;base64,')
    expect(text).toContain('00020126580014br.gov.bcb.pix')
  })

  it('shows a boleto’s line and leads to its page', async () => {
    const paymentDetails = {
      kind: 'boleto',
      barcode: '0'.repeat(44),
      digitableLine: '1'.repeat(47),
      dueDate: '2026-11-24',
      payerName: 'Maria da Silva',
    } as const
    panel.held.transactions.push(pixTransaction({ paymentType: 'postpay', paymentDetails }))
    const { html } = await panel.developer.get('/payments/1001')
    expect(html).toContain('1'.repeat(47))
    expect(html).toContain(`href="${SANDBOX_URL}/b/abcdefghijklmnop"`)
    expect(visibleText(html)).toContain('Due Nov 24, 2026')
    expect(html).not.toContain('.pdf')
  })

  it('shows a card’s brand and last digits, and links to a wallet’s page', async () => {
    const paymentDetails = {
      kind: 'wallet',
      paymentUrl: `${SANDBOX_URL}/w/abcdefghijklmnop`,
      successUrl: '',
      failUrl: '',
    } as const
    panel.held.transactions.push(
      pixTransaction({
        code: 1,
        paymentType: 'credit-card',
        subType: 'visa',
        cardLastFour: '1111',
        installments: 3,
        paymentDetails: undefined,
      }),
      pixTransaction({ code: 2, paymentType: 'e-wallet', paymentDetails }),
    )
    const card = await textAt('/payments/1')
    expect(card).toContain('Visa, ending in 1111')
    expect(card).toContain('Installments 3')
    expect((await panel.developer.get('/payments/2')).html).toContain(
      `href="${paymentDetails.paymentUrl}"`,
    )
  })

  it('leads to the link that it was paid at', async () => {
    panel.held.transactions.push(pixTransaction({ code: 1002 }), pixTransaction())
    panel.held.links.set('1002', { id: 'abcdefghijklmnopqrstuv', reference: 'order-7' })
    const link = 'href="/sandbox/store-1/payment-links/abcdefghijklmnopqrstuv"'
    expect((await panel.developer.get('/payments/1002')).html).toContain(link)
    expect((await panel.developer.get('/payments/1001')).html).not.toContain(link)
  })

  it('is hidden from other stores', async () => {
    panel.held.transactions.push(pixTransaction())
    const other = panel.newDeveloper({ 'Accept-Language': 'en' })
    await other.submit('/sign-in/sandbox', '/sign-in/sandbox', {
      'store-id': OTHER_STORE_ID,
      secret: SECRET,
    })
    expect((await other.get(`/sandbox/${OTHER_STORE_ID}/payments/1001`)).status).toBe(404)
    expect((await other.get('/payments/1001')).status).toBe(404)
    const { html } = await other.get(`/sandbox/${OTHER_STORE_ID}/payments`)
    expect(visibleText(html)).toContain('Create your first transaction')
    expect(html).not.toContain('order-1')
  })
})

describe('refunds', () => {
  it.each([
    ['PROCESSED', 'The refund was processed'],
    ['REJECTED', 'The refund was rejected'],
  ] as const)('end as %s by a button', async (status, said) => {
    panel.held.transactions.push(
      pixTransaction({ status: 'COMPLETE' }, { refunds: [WAITING_REFUND] }),
    )
    const page = await panel.developer.submit('/payments/1001', '/refunds/501', { status })
    expect(panel.held.writes).toEqual([`finishRefund 501 ${status}`])
    expect(visibleText(page.html)).toContain(said)
    expect(page.html).not.toContain('/refunds/501"')
  })

  it('that have ended have no buttons, and link to the settlement', async () => {
    const refunds = [{ ...WAITING_REFUND, status: 'PROCESSED' } as const]
    panel.held.transactions.push(pixTransaction({ status: 'COMPLETE' }, { refunds }))
    const { html } = await panel.developer.get('/payments/1001')
    expect(html).not.toContain('/refunds/501"')
    expect(visibleText(html)).toContain('Refunds finish right away. Decide manually')
  })

  it('that failed later show that nothing went back', async () => {
    const refunds = [{ ...WAITING_REFUND, status: 'REJECTED' } as const]
    panel.held.transactions.push(pixTransaction({ status: 'REFUNDED' }, { refunds }))
    expect(await textAt('/payments/1001')).toContain('its refunds failed and no money went back')
  })

  it('show from when the acquirer makes them', async () => {
    const refunds = [{ ...WAITING_REFUND, notBeforeMs: NOW_MS }]
    panel.held.transactions.push(pixTransaction({ status: 'COMPLETE' }, { refunds }))
    expect(await textAt('/payments/1001')).toContain('From Nov 21, 2026, 09:00:00')
  })
})

it('has no page for a store without a signed-in person', async () => {
  expect((await openPanelForTest().newDeveloper().get('/')).location).toBe(
    '/sign-in/sandbox?to=%2F',
  )
})

describe('metadata of a payment', () => {
  const withMetadata = (metadata: object) =>
    panel.held.transactions.push(
      pixTransaction(
        { requestJson: JSON.stringify({ transaction: { metadata } }) },
        { refunds: [{ ...WAITING_REFUND, metadata: { case: '8134' } }] },
      ),
    )

  it('stands on its page, escaped, with that of its refunds', async () => {
    withMetadata({ channel: 'app', note: '<b>gift</b>' })
    const { html } = await panel.developer.get('/payments/1001')
    expect(html).not.toContain('<b>gift')
    const text = visibleText(html)
    expect(text).toContain('Metadata channel app note ')
    expect(text).toContain('Metadata case 8134')
  })

  it('is no heading of a payment without any', async () => {
    panel.held.transactions.push(pixTransaction())
    expect(await textAt('/payments/1001')).not.toContain('Metadata')
  })
})
