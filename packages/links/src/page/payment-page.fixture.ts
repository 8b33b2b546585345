import { randomUUID } from 'node:crypto'
import { minorUnits } from '@cofre/contracts'
import type { PayResult, PaymentOrder, ShownLink, ShownTry } from '../model/payment-page.js'
import type { PaymentPageOptions } from './page-options.js'
import { createPaymentPageRoutes } from './payment-page-routes.js'

export const LINK_ID = 'AAAAAAAAAAAAAAAAAAAAAA'
export const TRY_ID = 'BBBBBBBBBBBBBBBBBBBBBB'
export const NOW_MS = Date.UTC(2026, 10, 25, 12)
export const PAGE_URL = 'https://pay.example'

export const LINK: ShownLink = {
  id: LINK_ID,
  storeId: 'loja',
  storeName: 'Café Serra Azul',
  description: 'Assinatura de café, novembro',
  amountMinor: minorUnits(10_000),
  methods: ['credit-card', 'pix', 'boleto', 'paypal'],
  isCapturedLater: false,
  installments: [
    {
      quantity: 1,
      totalMinor: minorUnits(10_000),
      installmentMinor: minorUnits(10_000),
      interestFree: true,
    },
    {
      quantity: 2,
      totalMinor: minorUnits(10_000),
      installmentMinor: minorUnits(5_000),
      interestFree: true,
    },
    {
      quantity: 3,
      totalMinor: minorUnits(10_605),
      installmentMinor: minorUnits(3_535),
      interestFree: false,
    },
  ],
  state: 'payable',
  expiresAtMs: undefined,
  language: 'pt-BR',
  successUrl: 'https://shop.example/thanks',
  isUsedOnce: true,
  openTry: undefined,
}

export const TRY: ShownTry = {
  id: TRY_ID,
  method: 'pix',
  reference: 'assinatura-11-1',
  amountMinor: minorUnits(10_000),
  chargedMinor: minorUnits(10_000),
  installments: 1,
  state: 'waiting',
  details: { kind: 'pix', code: '00020126580014br.gov.bcb.pix' },
  publicId: 'abcdefghijklmnop',
  expiresAtMs: NOW_MS + 60_000,
  paidAtMs: undefined,
  code: '123456789012345',
}

/** The page over a gateway whose answers a test sets. */
export function openPaymentPage(answers: {
  readonly link?: Partial<ShownLink>
  readonly shown?: Partial<ShownTry>
  readonly result?: PayResult
  readonly fails?: Error
}) {
  const asked: PaymentOrder[] = []
  const logged: object[] = []
  const log = (fields: object) => void logged.push(fields)
  const options: PaymentPageOptions = {
    url: PAGE_URL,
    cardFields: {
      vaultUrl: 'https://vault.example',
      scriptUrl: 'https://vault.example/releases/1/fields.cofre.min.js',
      integrity: 'sha384-x',
      global: 'Cofre',
    },
    addressOf: () => '203.0.113.7',
    now: () => NOW_MS,
    log: { info: log, warn: log, error: log },
    isUnavailable: (error) => error instanceof RangeError,
  }
  const fail = () => (answers.fails === undefined ? undefined : Promise.reject(answers.fails))
  const app = createPaymentPageRoutes(
    {
      find: (id) =>
        fail() ?? Promise.resolve(id === LINK_ID ? { ...LINK, ...answers.link } : undefined),
      findTry: (linkId, tryId) =>
        Promise.resolve(
          linkId === LINK_ID && tryId === TRY_ID ? { ...TRY, ...answers.shown } : undefined,
        ),
      pay: (_, order) => {
        asked.push(order)
        return Promise.resolve(answers.result ?? { kind: 'try', tryId: TRY_ID })
      },
    },
    options,
  )
  const read = async (response: Response | Promise<Response>) => {
    const { status, headers } = await response
    return { status, headers, html: await (await response).text() }
  }
  return {
    asked,
    logged,
    get: (path: string, headers: Record<string, string> = {}) =>
      read(app.request(`${PAGE_URL}${path}`, { headers })),
    post: (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      read(
        app.request(`${PAGE_URL}/pay/${LINK_ID}`, {
          method: 'POST',
          body: new URLSearchParams({ form: randomUUID(), ...fields }),
          headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
        }),
      ),
  }
}
