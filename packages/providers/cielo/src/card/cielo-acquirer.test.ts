import { DAY_MS, HOUR_MS, MINUTE_MS, Secret } from '@cofre/contracts'
import type { FindRequest } from '@cofre/provider-kit/card'
import { describe, expect, it } from 'vitest'
import { APPROVED_CARD, cieloStage, sandboxCard } from '../../test/cielo-stage.js'
import { FACTS } from '../../test/fake-cielo.js'
import {
  type Fault,
  REFUSALS_AT_THE_DOOR,
  lostAnswers,
} from '../../../../provider-kit/test/faulty-server.js'
import { CAVV, CHARGED, KEY, LINKED, untilKnown } from '../../../../provider-kit/test/payments.js'

const stage = cieloStage()
const { authorize, attempts } = stage
const payment = () => (stage.server.calls[0]!.body as { Payment: Record<string, unknown> }).Payment
const charged = () => stage.server.sales.filter(({ status }) => status === 1 || status === 2)
const LOST = [
  ...lostAnswers('4024 0071 5376 3191'),
  ['repeats the security code', { status: 500, body: 'CVV 123' }],
] as const
const html = '<html></html>'

describe('a check of a card', () => {
  it('is a Zero Auth of the manual, which has no name and no amount', async () => {
    expect(await stage.check()).toEqual({
      kind: 'done',
      value: {
        outcome: 'approved',
        ids: { networkTransactionId: '580027442382078', transactionLinkId: undefined },
      },
    })
    const [call] = stage.server.calls
    expect(call).toMatchObject({ method: 'POST', path: '/1/zeroauth' })
    expect(call?.body).toEqual({
      CardType: 'CreditCard',
      CardNumber: APPROVED_CARD,
      Holder: 'ANA CONCEICAO DE SOUZA',
      ExpirationDate: '12/2030',
      SecurityCode: '123',
      Brand: 'Visa',
      CardOnFile: { Usage: 'First', Reason: 'Unscheduled' },
    })
    expect(stage.server.sales).toEqual([])
  })

  it('declines with the code of Cielo', async () => {
    const card = sandboxCard('4024007153763192')
    expect(await stage.check({ card })).toMatchObject({
      kind: 'done',
      value: { outcome: 'declined', decline: { reason: 'not_permitted', code: '57' } },
    })
  })

  it('is refused before a call for a brand that Cielo does not check', async () => {
    expect(await stage.check({ brand: 'amex' })).toMatchObject({ kind: 'refused' })
    expect(stage.server.calls).toEqual([])
  })

  it.each([
    ['is not in the contract', { Code: 322, Message: 'Zero Auth is not enabled' }],
    ['is answered by one error alone', { Code: 57, Message: 'Bandeira inválida' }],
  ])('is refused where it %s', async (_, error) => {
    const act = { status: 400, body: JSON.stringify(error) }
    stage.server.faults.push({ when: 'before', act })
    expect(await stage.check()).toMatchObject({ kind: 'refused' })
  })
})

describe('a sale', () => {
  it('is approved with all that Cielo returns', async () => {
    expect(await authorize()).toEqual({
      kind: 'done',
      value: {
        outcome: 'approved',
        payment: {
          paymentId: stage.server.sales[0]?.paymentId,
          nsu: '652515',
          authorizationCode: '927181',
          eci: '7',
          networkTransactionId: '580027442382078',
        },
        surplus: [],
      },
    })
    expect(stage.server.calls[0]?.body).toEqual({
      MerchantOrderId: 'cofrep1042',
      Customer: {
        Name: 'Ana Conceição de Souza',
        Identity: '52998224725',
        IdentityType: 'CPF',
        Email: 'ana@example.com',
      },
      Payment: {
        Type: 'CreditCard',
        Amount: 12_990,
        Currency: 'BRL',
        Installments: 3,
        Interest: 'ByMerchant',
        Capture: true,
        SoftDescriptor: 'LojaExemplo13',
        CreditCard: {
          CardNumber: APPROVED_CARD,
          Holder: 'ANA CONCEICAO DE SOUZA',
          ExpirationDate: '12/2030',
          SecurityCode: '123',
          Brand: 'Visa',
          SaveCard: false,
        },
      },
    })
  })

  it.each([
    ['visa', 'Visa'],
    ['mastercard', 'Master'],
    ['amex', 'Amex'],
    ['elo', 'Elo'],
    ['hipercard', 'Hipercard'],
    ['diners', 'Diners'],
  ])('names the brand %s as Cielo does', async (brand, name) => {
    await authorize({ brand })
    expect(payment().CreditCard).toMatchObject({ Brand: name })
  })

  it('marks an Elo payment from a payment link, as compulsory since 17 October 2025', async () => {
    await authorize({ brand: 'elo', isFromLink: true })
    expect(payment()).toMatchObject({ SolutionType: 'ExternalLinkPay' })
  })

  it.each([
    ['elo', {}],
    ['visa', { isFromLink: true } as const],
  ])('has no mark of a payment link for %s with %j', async (brand, more) => {
    await authorize({ brand, ...more })
    expect(payment()).not.toHaveProperty('SolutionType')
  })

  it('is captured with the authorization, within the seven days that Cielo gives', async () => {
    await authorize()
    expect(payment()).toMatchObject({ Capture: true })
    expect(stage.server.sales).toMatchObject([{ status: 2 }])
  })

  it('is of credit alone: Cielo takes debit with 3-D Secure only', async () => {
    await authorize({ brand: 'elo' })
    expect(payment()).toMatchObject({ Type: 'CreditCard' })
    expect(payment()).not.toHaveProperty('DebitCard')
  })

  it('names the customer in Latin-1', async () => {
    const name = 'Nguyễn O’Connor de São José'
    await authorize({ payer: { name, document: undefined, email: undefined, ip: undefined } })
    expect(stage.server.calls[0]?.body).toMatchObject({
      Customer: { Name: "Nguyen O'Connor de São José" },
    })
  })

  it.each([
    ['Ana Conceição de Souza e Silva Júnior', 'ANA CONCEICAO DE SOUZA E'],
    ['D’Ávila & Filhos 2', 'D AVILA FILHOS'],
    ['Bjørn Łoś, Mª', 'BJORN LOS MA'],
    ['山田太郎', 'PORTADOR'],
  ])('names the holder of %s in 25 plain letters', async (name, holder) => {
    await authorize({ payer: { name, document: undefined, email: undefined, ip: undefined } })
    expect(payment().CreditCard).toMatchObject({ Holder: holder })
  })

  it('marks a saved card, and names the first use when a subscription continues', async () => {
    const first = { use: 'first', isSubscription: false, networkTransactionId: undefined } as const
    await authorize({ storedCredential: first, brand: 'mastercard' })
    expect(payment()).toMatchObject({
      Recurrent: false,
      InitiatedTransactionIndicator: { Category: 'C1', Subcategory: 'CredentialsOnFile' },
      CreditCard: { CardOnFile: { Usage: 'First', Reason: 'Unscheduled' } },
    })
    stage.server.calls.length = 0
    const later = { use: 'later', isSubscription: true, networkTransactionId: '58002' } as const
    const card = new Secret({ number: APPROVED_CARD, month: '12', year: '2030' })
    const key = { ...KEY, transactionCode: '1043' }
    await authorize({ key, card, storedCredential: later, brand: 'mastercard' })
    expect(payment()).toMatchObject({
      Recurrent: true,
      IssuerTransactionId: '58002',
      InitiatedTransactionIndicator: { Category: 'M1', Subcategory: 'Subscription' },
      CreditCard: { CardOnFile: { Usage: 'Used', Reason: 'Recurring' } },
    })
    expect(payment().CreditCard).not.toHaveProperty('SecurityCode')
  })

  it.each([
    ['mastercard', { IssuerTransactionId: 'newest', TransactionLinkId: 'first_TLID-1' }],
    ['visa', { IssuerTransactionId: 'newest' }],
    ['elo', { IssuerTransactionId: 'newest' }],
    ['amex', { IssuerTransactionId: 'newest' }],
  ])(
    'sends the TLID of the first use of a %s and the issuer’s id of the newest',
    async (brand, ids) => {
      for (const isSubscription of [true, false]) {
        const key = { ...KEY, transactionCode: isSubscription ? '1043' : '1044' }
        stage.server.calls.length = 0
        await authorize({ key, brand, storedCredential: { ...LINKED, isSubscription } })
        const { IssuerTransactionId, TransactionLinkId } = payment()
        expect({ IssuerTransactionId, TransactionLinkId }).toEqual(ids)
        const { brands } = FACTS.brandIdentifiers.TransactionLinkId
        expect(TransactionLinkId !== undefined).toBe(brands.includes(brand))
      }
    },
  )

  it('sends no id with the first use of a card, nor with a charge that has none', async () => {
    for (const use of ['first', 'later'] as const) {
      const key = { ...KEY, transactionCode: use === 'first' ? '1043' : '1044' }
      stage.server.calls.length = 0
      const unlinked = { use, isSubscription: true, networkTransactionId: undefined }
      expect(
        await authorize({ key, brand: 'mastercard', storedCredential: unlinked }),
      ).toMatchObject({ value: { outcome: 'approved' } })
      expect(payment()).not.toHaveProperty('TransactionLinkId')
      expect(payment()).not.toHaveProperty('IssuerTransactionId')
    }
  })

  it.each([
    ['aB3dE5fG7hI9jK1lM3nO5p', 'aB3dE5fG7hI9jK1lM3nO5p'],
    ['mK8vT2qA-9LpX7dWc3Rf_HsD1Z', 'mK8vT2qA-9LpX7dWc3Rf_HsD1Z'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), undefined],
    ['with a blank', undefined],
    ['', undefined],
  ])('keeps the TLID %s as it came, or not at all', async (TransactionLinkId, kept) => {
    await authorize({ brand: 'mastercard' })
    const [sale] = stage.server.sales
    if (sale !== undefined) sale.more = { TransactionLinkId }
    const found = await stage.connection.acquirer.find?.({
      key: KEY,
      paymentId: sale?.paymentId,
      amountMinor: CHARGED,
      brand: 'mastercard',
    })
    expect(found).toMatchObject({ value: { payment: { transactionLinkId: kept } } })
  })

  it('carries a 3-DS result', async () => {
    const threeDSecure = {
      version: '2.2.0',
      eci: '05',
      cavv: new Secret(CAVV),
      directoryServerTransactionId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
    }
    await authorize({ threeDSecure })
    expect(payment()).toMatchObject({
      Authenticate: true,
      ExternalAuthentication: {
        Cavv: CAVV,
        Eci: '05',
        Version: '2.2.0',
        ReferenceId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
      },
    })
  })

  it.each(LOST)('is made once when its answer %s', async (_, act) => {
    stage.server.faults.push({ when: 'after', act })
    const result = await untilKnown(stage.clock, (earlier) => authorize({ earlier }))
    expect(result).toMatchObject({ value: { outcome: 'approved' } })
    expect(charged()).toHaveLength(1)
    expect(stage.callsOf(/^POST/)).toBe(1)
  })

  it.each(LOST)('is made once when its request never arrived and its answer %s', async (_, act) => {
    stage.server.faults.push({ when: 'before', act })
    const result = await untilKnown(stage.clock, (earlier) => authorize({ earlier }))
    expect(result).toMatchObject({ value: { outcome: 'approved' } })
    expect(charged()).toHaveLength(1)
    expect(stage.callsOf(/^POST/)).toBe(2)
  })

  it('is sent again only when it was absent twice, a minute apart', async () => {
    stage.server.faults.push({ when: 'before', act: 'cut' })
    expect(await authorize()).toEqual({ kind: 'unknown', detail: expect.any(String) as string })
    const firstAtMs = stage.clock.now()
    const absent = await authorize({ earlier: { firstAtMs, absentSinceMs: undefined } })
    expect(absent).toMatchObject({
      kind: 'unknown',
      absentSinceMs: firstAtMs,
      retryAfterMs: MINUTE_MS,
    })
    stage.clock.advance(MINUTE_MS - 1)
    const earlier = { firstAtMs, absentSinceMs: firstAtMs }
    expect(await authorize({ earlier })).toMatchObject({
      kind: 'unknown',
      absentSinceMs: firstAtMs,
    })
    expect(stage.callsOf(/^POST/)).toBe(1)
    stage.clock.advance(1)
    expect(await authorize({ earlier })).toMatchObject({ value: { outcome: 'approved' } })
    expect(charged()).toHaveLength(1)
  })

  it('waits again after the clock was set back', async () => {
    const earlier = attempts(stage.clock.now() + DAY_MS)
    expect(await authorize({ earlier })).toMatchObject({
      kind: 'unknown',
      absentSinceMs: stage.clock.now(),
    })
    expect(stage.callsOf(/^POST/)).toBe(0)
  })

  it.each(REFUSALS_AT_THE_DOOR)('that was absent stays unknown after %s', async (_, act) => {
    const absentSinceMs = stage.clock.now() - MINUTE_MS
    stage.server.faults.push({ on: /POST/, when: 'before', act })
    const result = await authorize({ earlier: attempts(absentSinceMs) })
    expect(result).toMatchObject({ kind: 'unknown', absentSinceMs })
  })

  it.each<[string, Fault['act']]>([
    ['is cut', 'cut'],
    ['is refused', { status: 401, body: '' }],
    ['ends in HTML', { status: 404, body: html }],
    ['has no list', { status: 200, body: '{"ReasonCode":0}' }],
    ['has a list that is none', { status: 200, body: '{"Payments":null,"Payment":{}}' }],
    ['has a payment without a name', { status: 200, body: '{"Payments":[{}]}' }],
  ])('is not sent again when the look %s, and its absence is remembered', async (_, act) => {
    const absentSinceMs = stage.clock.now() - 5 * MINUTE_MS
    stage.server.faults.push({ on: /^GET/, when: 'before', act })
    const result = await authorize({ earlier: attempts(absentSinceMs) })
    expect(result).toMatchObject({ kind: 'unknown', absentSinceMs })
    expect(stage.callsOf(/^POST/)).toBe(0)
  })

  it('that arrived late and twice names the charges to cancel', async () => {
    await authorize()
    stage.server.isBlind = true
    await authorize({ earlier: attempts(stage.clock.now() - MINUTE_MS) })
    expect(charged()).toHaveLength(2)
    stage.server.isBlind = false
    const result = await authorize({ earlier: attempts() })
    const [first, second] = stage.server.sales.map(({ paymentId }) => paymentId)
    expect(result).toMatchObject({
      kind: 'done',
      value: { outcome: 'approved', payment: { paymentId: first }, surplus: [second] },
    })
    const find = { key: KEY, paymentId: undefined, amountMinor: CHARGED, brand: 'visa' }
    expect(await stage.connection.acquirer.find?.(find)).toMatchObject({
      value: { state: 'approved', payment: { paymentId: first }, surplus: [second] },
    })
  })

  it('whose name Cielo has seen before is looked up', async () => {
    const body = JSON.stringify([{ Code: 302, Message: 'MerchantOrderId duplicated' }])
    stage.server.faults.push({ when: 'after', act: { status: 400, body } })
    const result = await untilKnown(stage.clock, (earlier) => authorize({ earlier }))
    expect(result).toMatchObject({ value: { outcome: 'approved' } })
    expect(charged()).toHaveLength(1)
  })

  it.each(REFUSALS_AT_THE_DOOR)('is certainly not made after %s', async (_, act, cause) => {
    stage.server.faults.push({ when: 'before', act })
    expect(await authorize()).toMatchObject({ kind: 'not-sent', cause })
  })

  it('that was authorized alone is captured', async () => {
    stage.server.status = 1
    expect(await authorize()).toMatchObject({ value: { outcome: 'approved' } })
    expect(stage.server.sales).toMatchObject([{ status: 2 }])
  })

  it('whose capture is cut stays unknown until it is found captured', async () => {
    stage.server.status = 1
    stage.server.faults.push({ on: /capture/, when: 'after', act: 'cut' })
    const result = await untilKnown(stage.clock, (earlier) => authorize({ earlier }))
    expect(result).toMatchObject({ value: { outcome: 'approved' } })
    expect(charged()).toHaveLength(1)
    expect(stage.callsOf(/capture/)).toBe(1)
  })

  it.each([
    ['amount', { amount: 1 }],
    ['order', { orderId: 'cofrep1' }],
  ])('is not taken for approved by an answer with another %s', async (_, changes) => {
    await authorize()
    const [sale] = stage.server.sales
    Object.assign(sale ?? {}, changes)
    const listed = { Payments: [{ PaymentId: sale?.paymentId }] }
    const act = { status: 200, body: JSON.stringify(listed) }
    stage.server.faults.push({ on: /merchantOrderId/, when: 'before', act })
    expect(await authorize({ earlier: attempts() })).toMatchObject({ kind: 'unknown' })
    expect(stage.callsOf(/^POST/)).toBe(1)
  })
})

describe('an answer', () => {
  it.each<[string, (name: string) => string]>([
    ['lower', (name) => name.toLowerCase()],
    ['upper', (name) => name.toUpperCase()],
    ['camel', (name) => name.charAt(0).toLowerCase() + name.slice(1)],
  ])('is read with names in %s case', async (_, rename) => {
    stage.server.rename = rename
    stage.server.faults.push({ when: 'after', act: 'cut' })
    const result = await untilKnown(stage.clock, (earlier) => authorize({ earlier }))
    expect(result).toMatchObject({ value: { outcome: 'approved', payment: { nsu: '652515' } } })
  })

  const EXPECTED: Readonly<Record<string, object>> = {
    NotFinished: { kind: 'unknown', payment: { nsu: '652515' } },
    Authorized: { value: { outcome: 'approved' } },
    PaymentConfirmed: { value: { outcome: 'approved' } },
    Denied: { value: { outcome: 'declined' } },
    Voided: { value: { outcome: 'declined' } },
    Refunded: { value: { outcome: 'declined' } },
    Pending: { value: { outcome: 'pending' } },
    Aborted: { value: { outcome: 'declined' } },
    Scheduled: { value: { outcome: 'pending' } },
  }
  it.each(Object.entries(FACTS.paymentStatus))(
    'of status %s, %s, is decided by it',
    async (status, name) => {
      stage.server.status = Number(status)
      expect(await authorize()).toMatchObject(EXPECTED[name] ?? { kind: 'missing' })
      // Also when it is found, and then nothing is sent again.
      stage.clock.advance(HOUR_MS)
      const found = await authorize({ earlier: attempts(stage.clock.now() - HOUR_MS) })
      expect(found).toMatchObject(EXPECTED[name] ?? {})
      expect(stage.callsOf(/^POST/)).toBe(1)
    },
  )

  it('of a status that is not known stays pending', async () => {
    stage.server.status = 77
    expect(await authorize()).toMatchObject({ value: { outcome: 'pending' } })
  })
})

describe('a decline', () => {
  const rules = Object.entries(FACTS.sandboxLastDigit).filter(
    ([, { status }]) => status !== 'random',
  )
  it.each(rules)('of a sandbox card that ends in %s follows its rule', async (digit, rule) => {
    const result = await authorize({ card: sandboxCard(`402400715376319${digit}`) })
    const isApproved = rule.status === 'authorized'
    expect(result).toMatchObject(
      isApproved
        ? { value: { outcome: 'approved' } }
        : { value: { outcome: 'declined', decline: { code: rule.returnCode[0] } } },
    )
  })

  const never = { kind: 'never' }
  it.each([
    ['visa', '51', undefined, 'insufficient_funds', { kind: 'allowed', afterMs: DAY_MS }],
    [
      'mastercard',
      '51',
      '24',
      'insufficient_funds',
      { kind: 'allowed', afterMs: HOUR_MS, by: 'brand' },
    ],
    ['mastercard', '51', '03', 'insufficient_funds', never],
    ['visa', '54', undefined, 'expired_card', never],
    ['amex', 'FA', undefined, 'generic', { kind: 'allowed', afterMs: 0 }],
    ['amex', 'FD', undefined, 'not_permitted', never],
    ['diners', '51', undefined, 'insufficient_funds', { kind: 'allowed', afterMs: DAY_MS }],
    ['diners', '91', undefined, 'issuer_unavailable', { kind: 'allowed', afterMs: HOUR_MS }],
    ['diners', '79', undefined, 'generic', { kind: 'unknown' }],
    ['elo', '79', undefined, 'generic', { kind: 'unknown' }],
    ['elo', '62', undefined, 'card_blocked', { kind: 'allowed', afterMs: 0 }],
    ['visa', '99', undefined, 'system_failure', { kind: 'allowed', afterMs: HOUR_MS }],
    ['visa', '98', undefined, 'system_failure', { kind: 'allowed', afterMs: HOUR_MS }],
    ['elo', '999', undefined, 'system_failure', { kind: 'allowed', afterMs: HOUR_MS }],
    ['mastercard', 'AA', undefined, 'system_failure', { kind: 'allowed', afterMs: HOUR_MS }],
    ['visa', 'AE', undefined, 'system_failure', { kind: 'allowed', afterMs: HOUR_MS }],
    ['mastercard', 'AA', '03', 'system_failure', never],
    ['elo', 'BP171', undefined, 'refused_by_risk_rules', { kind: 'allowed', afterMs: 0 }],
  ])('of %s with code %s and advice %s is %s', async (brand, returnCode, advice, reason, retry) => {
    stage.server.status = 3
    await authorize({ brand })
    const [sale] = stage.server.sales
    if (sale !== undefined) {
      sale.returnCode = returnCode
      sale.more = { MerchantAdviceCode: advice }
    }
    const found = await authorize({ brand, earlier: attempts() })
    expect(found).toMatchObject({
      value: { outcome: 'declined', decline: { reason, retry, code: returnCode } },
    })
  })

  it('of a domestic Elo card used abroad is final, if the answer has that text', async () => {
    stage.server.status = 3
    await authorize({ brand: 'elo' })
    const [sale] = stage.server.sales
    if (sale !== undefined) {
      sale.returnCode = '62'
      sale.more = { ReturnMessage: 'CARTAO NAO PERMITE TRANSACAO INTERNACIONAL' }
    }
    const found = await authorize({ brand: 'elo', earlier: attempts() })
    expect(found).toMatchObject({
      value: { decline: { reason: 'not_permitted_abroad', retry: never } },
    })
  })

  const MEANING: Readonly<Record<string, object>> = {
    '123': { value: { outcome: 'declined', decline: { reason: 'invalid_installments' } } },
    '126': { value: { outcome: 'declined', decline: { reason: 'expired_card' } } },
    '128': { value: { outcome: 'declined', decline: { reason: 'invalid_card_number' } } },
    '146': { value: { outcome: 'declined', decline: { reason: 'security_code_invalid' } } },
    '213': { value: { outcome: 'declined', decline: { reason: 'invalid_card_number' } } },
    '302': { kind: 'unknown' },
    '307': { kind: 'unknown' },
    '318': { kind: 'unknown' },
    ...Object.fromEntries(
      ['114', '115', '116', '120', '131', '132', '301', '306'].map((code) => [
        code,
        { kind: 'not-sent', cause: 'login' },
      ]),
    ),
  }
  it.each(Object.entries(FACTS.apiErrorsToKnow))(
    'of error %s (%s) is read',
    async (code, words) => {
      const body = JSON.stringify([{ Code: Number(code), Message: `${words} 4024007153763191` }])
      stage.server.faults.push({ when: 'before', act: { status: 400, body } })
      const otherwise = { kind: 'refused' }
      expect(await authorize()).toMatchObject(MEANING[code] ?? otherwise)
    },
  )
})

describe('a look', () => {
  const find = (changes: Partial<FindRequest> = {}) =>
    stage.connection.acquirer.find?.({
      key: KEY,
      paymentId: undefined,
      amountMinor: CHARGED,
      brand: 'visa',
      ...changes,
    })

  it.each([
    ['1', 'authorized'],
    ['2', 'approved'],
    ['3', 'declined'],
    ['10', 'returned'],
    ['11', 'returned'],
    ['12', 'pending'],
    ['0', 'pending'],
  ])('finds a sale of status %s %s, by order and by name', async (status, state) => {
    await authorize()
    const [sale] = stage.server.sales
    if (sale !== undefined) sale.status = Number(status)
    expect(await find()).toMatchObject({ kind: 'done', value: { state } })
    expect(await find({ paymentId: sale?.paymentId })).toMatchObject({ value: { state } })
  })

  it('returns refunds and disputes', async () => {
    await authorize()
    const [sale] = stage.server.sales
    if (sale !== undefined) {
      sale.voided = 4000
      sale.more = {
        Chargebacks: [
          { Amount: 8990, CaseNumber: '123456', ReasonMessage: 'Fraude', Status: 'Received' },
        ],
      }
    }
    expect(await find()).toMatchObject({
      value: {
        returnedMinor: 4000,
        disputes: [
          {
            disputeId: '123456',
            amountMinor: 8990,
            reason: 'Fraude',
            status: 'Received',
            isReversed: false,
          },
        ],
      },
    })
  })

  it('finds nothing, or nothing out', async () => {
    expect(await find()).toEqual({ kind: 'absent' })
    stage.server.faults.push({ when: 'before', act: { status: 404, body: html } })
    expect(await find()).toMatchObject({ kind: 'unknown' })
    stage.server.faults.push({ when: 'before', act: { status: 401, body: '' } })
    expect(await find()).toMatchObject({ kind: 'not-sent' })
  })
})

describe('the credentials', () => {
  it('are shown to Cielo without charging anything', async () => {
    const [step] = stage.connection.steps
    expect(await step?.run()).toEqual({ isDone: true, detail: 'Cielo accepts the credentials.' })
    stage.server.faults.push({ when: 'before', act: { status: 401, body: '' } })
    expect(await step?.run()).toMatchObject({ isDone: false })
    expect(stage.server.sales).toEqual([])
  })
})
