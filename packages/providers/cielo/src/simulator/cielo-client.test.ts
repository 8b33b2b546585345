import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DAY_MS } from '@cofre/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { APPROVED, type TestCielo, openTestCielo } from '../../test/simulated-cielo.js'
import { startLibrary } from '../../../../provider-kit/test/library-process.js'

const WRITE = 'apisandbox.cieloecommerce.cielo.com.br'
const QUERY = 'apiquerysandbox.cieloecommerce.cielo.com.br'

const saleOf = (cardNumber: string, brand = 'Visa') => ({
  merchantOrderId: 'TypescriptSDK-banzeh',
  customer: { name: 'Comprádor Teste Cíéló Áá' },
  payment: {
    type: 'CreditCard',
    amount: 10_000,
    installments: 1,
    softDescriptor: 'Banzeh',
    capture: false,
    creditCard: {
      brand,
      cardNumber,
      holder: 'Comprador T Cielo',
      expirationDate: '12/2031',
      securityCode: '123',
    },
  },
})

describe("a stranger's client, against the simulated Cielo", () => {
  let cielo: TestCielo
  let client: ReturnType<typeof startLibrary<{ readonly payment: { readonly paymentId: string } }>>
  beforeAll(async () => {
    cielo = await openTestCielo({ hosts: [WRITE, QUERY] })
    // This client follows Cielo's newer pages.
    cielo.cielo.conditions.listName = 'Payments'
    const trusted = path.join(cielo.folder, 'trusted.pem')
    await writeFile(trusted, cielo.authority)
    const environ = {
      NODE_EXTRA_CA_CERTS: trusted,
      CIELO_PORTS: JSON.stringify({ [WRITE]: cielo.apiPort, [QUERY]: cielo.queryPort }),
    }
    client = startLibrary(
      new URL('../../test/cielo-calls.mjs', import.meta.url),
      environ,
      new URL('../../test/cielo-redirect.mjs', import.meta.url),
    )
  })
  afterAll(async () => {
    await client.close()
    await cielo.close()
  })

  const call = (...calls: readonly (readonly unknown[])[]) => {
    const { merchantId, merchantKey } = cielo.credentials
    return client.call({ merchantId, merchantKey: merchantKey.reveal() }, calls)
  }

  it('authorizes, captures a part, queries and voids', async () => {
    const [sale] = await call(['creditCard', 'transaction', saleOf(APPROVED)])
    expect(sale).toMatchObject({
      answer: {
        merchantOrderId: 'TypescriptSDK-banzeh',
        customer: { name: 'Comprador Teste Cielo Aa' },
        payment: { status: 1, amount: 10_000, returnCode: '4' },
      },
    })
    const paymentId = sale?.answer?.payment.paymentId ?? ''
    const [captured, found, listed] = await call(
      ['creditCard', 'captureSaleTransaction', { paymentId, amount: 2_000 }],
      ['consult', 'paymentId', { paymentId }],
      ['consult', 'merchantOrderId', { merchantOrderId: 'TypescriptSDK-banzeh' }],
    )
    expect(captured).toMatchObject({ answer: { status: 2, returnCode: '6' } })
    expect(found).toMatchObject({ answer: { payment: { status: 2, capturedAmount: 2_000 } } })
    expect(listed).toMatchObject({ answer: { payments: [{ paymentId }] } })
    const [again] = await call(['creditCard', 'captureSaleTransaction', { paymentId, amount: 1 }])
    expect(again).toMatchObject({ error: { statusCode: 400, code: 308 } })

    cielo.clock.advance(DAY_MS)
    const [voided, after] = await call(
      ['creditCard', 'cancelTransaction', { paymentId, amount: 2_000 }],
      ['consult', 'paymentId', { paymentId }],
    )
    expect(voided).toMatchObject({ answer: { status: 11, returnCode: '9' } })
    expect(after).toMatchObject({ answer: { payment: { status: 11, voidedAmount: 2_000 } } })
  })

  it('voids an authorization, and then captures nothing', async () => {
    const [sale] = await call(['creditCard', 'transaction', saleOf(APPROVED)])
    const paymentId = sale?.answer?.payment.paymentId ?? ''
    const [voided, captured, found] = await call(
      ['creditCard', 'cancelTransaction', { paymentId }],
      ['creditCard', 'captureSaleTransaction', { paymentId }],
      ['consult', 'paymentId', { paymentId }],
    )
    expect(voided).toMatchObject({ answer: { status: 10, returnCode: '9' } })
    expect(captured).toMatchObject({ error: { statusCode: 400, code: 308 } })
    expect(found).toMatchObject({ answer: { payment: { status: 10, voidedAmount: 10_000 } } })
  })

  it('sells with every brand, and voids by the order', async () => {
    const brands = ['Visa', 'Master', 'Amex', 'Elo', 'Aura', 'JCB', 'Diners', 'Hipercard']
    const sales = await call(
      ...brands.map((brand) => ['creditCard', 'transaction', saleOf(APPROVED, brand)]),
    )
    for (const sale of sales) expect(sale).toMatchObject({ answer: { payment: { status: 1 } } })
    const merchantOrderId = 'TypescriptSDK-banzeh'
    const [voided] = await call(['creditCard', 'cancelTransaction', { merchantOrderId }])
    expect(voided).toMatchObject({ answer: { status: 10 } })
  })

  it('gets denials and refusals with their reasons', async () => {
    const answers = await call(
      ['creditCard', 'transaction', saleOf('4024007153763192')],
      ['creditCard', 'transaction', saleOf(APPROVED, 'Cofre')],
      ['creditCard', 'captureSaleTransaction', { paymentId: 'none' }],
    )
    expect(answers).toMatchObject([
      { answer: { payment: { status: 3, returnCode: '05' } } },
      { error: { statusCode: 400, code: 185 } },
      { error: { statusCode: 404, code: 307 } },
    ])
  })
})
