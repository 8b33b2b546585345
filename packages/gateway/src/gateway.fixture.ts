import { createHash, createHmac, createSecretKey, randomInt } from 'node:crypto'
import {
  type CardAnswer,
  type CardFields,
  type CardReturns,
  DAY_MS,
  type Log,
  Secret,
  minorUnits,
} from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { TestEngine } from '@cofre/sql/testing'
import type { Hono } from 'hono'
import {
  type Gateway,
  type GatewayCore,
  type GatewayOptions,
  type GatewayParts,
  createGatewayCore,
  gatewayOf,
  withUseCases,
} from './create-gateway.js'
import type { GatewayTables } from './ledger/database/gateway-tables.js'
import { NO_METHOD_ROOM } from './method/method-room.js'
import { GATEWAY_MIGRATIONS } from './ledger/database/open-gateway-database.js'
import type { FollowsPayments } from './ledger/transaction/follows-payments.js'
import type { GatewayEnv } from './api/request/signed-request.js'
import type { AddRoomRoutes } from './api/room-routes.js'
import { createGatewayRoutes } from './api/gateway-routes.js'
import type { Merchant } from './model/merchant/merchant.js'
import type { SecretKey } from './ledger/merchant/secret-wrapping.js'
import { type FakeCardVault, openFakeCardVault } from './card-vault.fixture.js'
import { holdAgainstDocument } from './api/openapi/contract.fixture.js'
import type { PaymentRails } from './model/payment-rail/payment-rails.js'

export const NOW_MS = Date.UTC(2026, 10, 21, 12)

export const TEST_SECRET_KEY: SecretKey = {
  id: 'test',
  key: new Secret(createSecretKey(Buffer.alloc(32, 7))),
}

export const MERCHANT: Merchant = {
  id: 'store-1',
  name: 'Loja Um',
  secret: new Secret('a secret of the store'),
  enabled: true,
  mayUseRawCards: false,
  refunds: 'full-and-partial',
  rules: 'specification',
  refusesCardReferences: false,
  fieldOrigins: [],
  showsBin: false,
}

export const APPROVED = {
  kind: 'answered',
  outcome: 'approved',
  card: { brand: 'visa', bin: '411111', lastFour: '1111' },
  charge: { accountId: 'adyen-1', provider: 'adyen', nsu: '662000' },
} as const satisfies CardAnswer

/** The card is only authorized, and its acquirer releases it after seven days. */
export const AUTHORIZED = {
  ...APPROVED,
  isAuthorizedOnly: true,
  charge: { ...APPROVED.charge, captureEndsAtMs: NOW_MS + 7 * DAY_MS },
} as const satisfies CardAnswer

/** A vault whose charges no account has made, and which accepts every setting. */
export const NO_RETURNS: CardReturns & CardFields = {
  refund: () => Promise.resolve({ kind: 'no_charge' }),
  capture: () => Promise.resolve({ kind: 'no_charge' }),
  voidCharge: () => Promise.resolve({ kind: 'no_charge' }),
  changes: () => Promise.resolve([]),
  acknowledge: () => Promise.resolve(),
  coverAccounts: () => Promise.resolve(),
  setFieldSettings: ({ revision }) => Promise.resolve(revision),
}

export const ACKNOWLEDGED = { statusCode: 200, durationMs: 1, responseExcerpt: 'ok' }

/** A bank and wallets that accept every order. */
export const TEST_RAILS: PaymentRails = {
  registerBoleto: () => Promise.resolve({ bank: '033', freeField: '9123456700000000000190101' }),
  openPixCharge: ({ publicId }) =>
    Promise.resolve({
      location: `pix.example.com/qr/v2/${publicId}`,
      receiverName: 'Loja Um',
      receiverCity: 'São Paulo',
    }),
  openWallet: ({ wallet, publicId }) =>
    Promise.resolve({ paymentUrl: `https://${wallet}.example.com/${publicId}` }),
  refund: () => Promise.resolve('PROCESSED'),
  opens: () => true,
  acceptsRefund: (_, subType) => subType !== 'paypal',
}

/** A gateway over a fresh database, with a vault that answers as the test decides. */
export interface TestGateway<Parts extends GatewayParts = GatewayParts> extends FakeCardVault {
  readonly gateway: Gateway
  /** Dependencies of its use cases. */
  readonly parts: Parts
  readonly database: Database<GatewayTables>
  /** The routes, for pages that a payer opens without a signature. */
  readonly app: Hono<GatewayEnv>
  readonly logged: string[]
  /**
   * Sends a request as the store would: signed and with the right headers, each of which the test
   * may change.
   */
  send(method: string, target: string, options?: SendOptions): Promise<TestAnswer>
  close(): Promise<void>
}

export interface SendOptions {
  /** Text and bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown
  /** Undefined removes a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly digest?: 'hex' | 'base64'
  readonly merchant?: Merchant
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Record<string, unknown>
  /** Codes of an error. */
  readonly codes: readonly number[]
}

export interface TestOptions extends Partial<GatewayOptions> {
  readonly sandbox?: Gateway
  readonly followers?: readonly FollowsPayments[]
  /** Interfaces of rooms that are served beside the API's. */
  readonly roomsOn?: (parts: GatewayParts) => readonly AddRoomRoutes[]
}

export const openTestGateway = async (
  engine: TestEngine,
  options: TestOptions = {},
): Promise<TestGateway> => await openTestGatewayOf(engine, options, withUseCases)

/** @param partsOf - Creates the parts, with methods that are not the core's. */
export async function openTestGatewayOf<Parts extends GatewayParts>(
  engine: TestEngine,
  { sandbox, roomsOn, followers = [], ...over }: TestOptions,
  partsOf: (core: GatewayCore) => Parts,
): Promise<TestGateway<Parts>> {
  const database = await engine.open<GatewayTables>(GATEWAY_MIGRATIONS, followers)
  const logged: string[] = []
  const write = (fields: Record<string, unknown>, message: string): void => {
    logged.push(`${message} ${JSON.stringify(fields)}`)
  }
  const { cards, vault } = openFakeCardVault(APPROVED)
  const log: Log = { info: write, warn: write, error: write }
  const core = createGatewayCore({
    environment: 'production',
    database,
    secretKeys: [TEST_SECRET_KEY],
    intentRemovals: [],
    cards,
    clock: { now: () => NOW_MS },
    randomBelow: (limit) => randomInt(limit),
    log,
    installmentTerms: { monthlyRate: 0.0299, interestFree: 1 },
    purchaseLimits: {
      perTransactionMinor: minorUnits(1_000_000),
      perPeriodMinor: minorUnits(1_000_000),
    },
    rails: TEST_RAILS,
    boletoDays: 3,
    machineClock: { now: () => NOW_MS },
    roomWork: [],
    notifyDelayMs: 0,
    signatureDigest: 'any',
    publicUrl: 'https://api.example.com',
    origins: ['https://api.example.com'],
    requestPolicy: { wallets: ['pagseguro', 'paypal'], acceptsNotificationUrl: () => true },
    ...over,
  })
  const parts = partsOf(core)
  const gateway = gatewayOf(parts)
  await gateway.saveMerchant(MERCHANT)
  const app = createGatewayRoutes(gateway, {
    mediaVendor: 'cofre',
    publicUrl: 'https://api.example.com',
    docsOrigin: 'https://sandbox.example.com',
    rooms: roomsOn?.(parts) ?? [],
    ...(sandbox !== undefined && { sandbox }),
  })
  return {
    gateway,
    parts,
    database,
    app,
    ...vault,
    logged,
    send: async (method, target, options = {}) => {
      const request = signedRequest(method, target, options)
      const answer = await readAnswer(await app.request(target, request, {}))
      holdAgainstDocument(method, target, answer)
      return answer
    },
    close: () => database.close(),
  }
}

/** The parts with some of them replaced, also in its payment methods. */
export function withParts(parts: GatewayParts, replaced: Partial<GatewayParts>): GatewayParts {
  const { methods } = replaced
  const room = methods && { ...NO_METHOD_ROOM, methodsOver: () => methods.all }
  return withUseCases({ ...parts, ...replaced }, room)
}

/** Replaces parts in place, so that their gateway has them. */
export function replaceParts(parts: GatewayParts, replaced: Partial<GatewayParts>): void {
  Object.assign(parts, withParts(parts, replaced))
}

/** A request as the store would send it. */
export function signedRequest(method: string, target: string, options: SendOptions): RequestInit {
  const { body, headers = {}, digest = 'base64', merchant = MERCHANT } = options
  const content = contentOf(body)
  const md5 = content === undefined ? '' : createHash('md5').update(content).digest('hex')
  const signed = digest === 'hex' ? md5 : Buffer.from(md5).toString('base64')
  const hmac = createHmac('sha256', merchant.secret.reveal())
    .update(target + signed)
    .digest('hex')
  const all: Readonly<Record<string, string | undefined>> = {
    accept: `application/vnd.cofre.${versionOf(method, target)}+json; charset=UTF-8`,
    'content-type': 'application/json',
    authorization: `${merchant.id}:${hmac}`,
    ...headers,
  }
  const kept = Object.entries(all).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return { method, headers: kept, ...(content !== undefined && { body: content }) }
}

/** Lists of a back office are of the second version, as what is created is. */
function versionOf(method: string, target: string): 'v1' | 'v2' {
  return method === 'POST' ||
    /^\/(?:payments|refunds|saved-cards|events|event-endpoints)\b(?!-)/.test(target)
    ? 'v2'
    : 'v1'
}

function contentOf(body: unknown): string | Buffer<ArrayBuffer> | undefined {
  if (body === undefined || typeof body === 'string') return body
  return body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body)
}

export async function readAnswer(response: Response): Promise<TestAnswer> {
  const text = await response.text()
  const json = JSON.parse(text) as Record<string, unknown>
  const errors = (json.errors ?? []) as readonly { code: number }[]
  const { status, headers } = response
  return { status, headers, text, json, codes: errors.map(({ code }) => code) }
}

/** A valid credit-card request. */
export function cardRequest(reference: string, paymentInfo: Record<string, unknown> = {}) {
  return {
    transaction: {
      reference,
      country: 'BR',
      currency: 'BRL',
      'checkout-type': 'direct',
      'notification-url': 'https://shop.example/notifications',
      language: 'pt-BR',
    },
    charge: [
      {
        amount: 100,
        'payment-method': { type: 'credit-card' },
        'payment-info': { installments: 1, token: 'a.b.c.d.e', ...paymentInfo },
      },
    ],
    payer: {
      name: 'Maria da Silva',
      email: 'maria@example.com',
      'birth-date': '1990-01-31',
      'phone-number': '+5541988887777',
      document: { type: 'CPF', number: '52998224725' },
    },
    cart: [{ quantity: 2, description: 'Café', 'unit-price': 50, type: 'digital' }],
  }
}

/** All payments but cards, by sub-type. */
export const RAILS = {
  boleto: { type: 'postpay', 'sub-type': 'boleto' },
  pix: { type: 'eft', 'sub-type': 'pix' },
  pagseguro: { type: 'e-wallet', 'sub-type': 'pagseguro' },
  paypal: { type: 'e-wallet', 'sub-type': 'paypal' },
} as const
export type RailName = keyof typeof RAILS

export const REDIRECTS = {
  success: 'https://shop.example/thanks?order=1',
  fail: 'https://shop.example/cart',
}

/** A valid request for a boleto, a PIX code or a wallet page. */
export function railRequest(
  reference: string,
  rail: RailName,
  { amount = 100, payerName = 'Maria da Silva' }: { amount?: number; payerName?: string } = {},
) {
  const { transaction, payer } = cardRequest(reference)
  return {
    transaction: {
      ...transaction,
      ...(RAILS[rail].type === 'e-wallet' && { 'redirect-urls': REDIRECTS }),
    },
    charge: [{ amount, 'payment-method': RAILS[rail] }],
    payer: { name: payerName, email: payer.email, document: payer.document, ip: '203.0.113.7' },
    cart: [{ quantity: 1, description: 'Café', 'unit-price': amount, type: 'digital' }],
  }
}
