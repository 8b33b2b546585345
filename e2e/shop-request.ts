import {
  type CreateTransactionRequest,
  type MerchantClientOptions,
  createMerchantClient,
  createSandboxClient,
} from '@cofre/merchant'
import type { SessionAnswer } from '../packages/contracts/src/wire/direct-token.js'
import { signRequest } from '../packages/merchant/src/request-signature.js'
import { tokenFor } from '../packages/vault/src/vault.fixture.js'
import { type Ports, STORE } from './cofre-process.js'
import { order } from './orders.js'

type Charge = CreateTransactionRequest['charge'][0]

const CARD_CHARGE = {
  amount: 1,
  currency: 'BRL',
  'payment-method': { type: 'credit-card' },
} as const

/** A shop's server, signed in at an API of the product. */
export function merchantAt(
  port: number,
  options: Pick<MerchantClientOptions, 'signedOrigin' | 'timeoutMs'> = {},
) {
  return createMerchantClient({ ...signedInAt(port), ...options })
}

/** A shop's client of the sandbox. */
export function sandboxAt(port: number) {
  return createSandboxClient(signedInAt(port))
}

/** The time limit of any wait in a story. */
const TIMEOUT_MS = 60_000

/** Without retries: a story sees each failure. */
function signedInAt(port: number): MerchantClientOptions {
  const baseUrl = `http://127.0.0.1:${port}`
  const { id: storeId, secret } = STORE
  return { baseUrl, storeId, secret, retryBudgetMs: 0, timeoutMs: TIMEOUT_MS }
}

/** The headers of an order without our client: its signature, and no idempotency key. */
export function headersOfOrder(body: string): Readonly<Record<string, string>> {
  return {
    Accept: 'application/vnd.cofre.v2+json; charset=UTF-8',
    'Content-Type': 'application/json',
    Authorization: `${STORE.id}:${signRequest(STORE.secret, '/transactions', body)}`,
  }
}

/** A card's part of a charge. */
export type CardInfo = Extract<Charge, { 'payment-info': unknown }>['payment-info']

/** An order of one real, paid by card. */
export function cardPurchase(
  reference: string,
  info: CardInfo,
  notificationUrl = 'http://127.0.0.1:9/notifications',
): CreateTransactionRequest {
  return order({ reference, notificationUrl }, { ...CARD_CHARGE, 'payment-info': info })
}

export interface ShopperCard {
  readonly number: string
  readonly cvv: string
}

/** Deposits a card as the browser library does. */
export async function depositCard(ports: Ports, { number, cvv }: ShopperCard): Promise<string> {
  return await deposit(ports, { number, cvv, month: '12', year: '2030' })
}

/** Deposits the security code of a saved card. */
export async function depositCode(ports: Ports, cvv: string): Promise<string> {
  return await deposit(ports, { cvv })
}

async function deposit({ vault }: Ports, payload: object): Promise<string> {
  const origin = `http://127.0.0.1:${vault}`
  const session = await fetch(`${origin}/sessions`, { method: 'POST' })
  const token = await tokenFor((await session.json()) as SessionAnswer, payload)
  const { status } = await fetch(`${origin}/direct-tokens`, { method: 'POST', body: token })
  if (status !== 201) throw new Error(`the deposit was answered ${status}`)
  return token
}
