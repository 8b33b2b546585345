// A month of a fictional shop: its orders, and their history. Always the same, except for its
// dates.
import { DAY_MS, HOUR_MS, MINUTE_MS, type TransactionStatus, cnpjOf, cpfOf } from '@cofre/contracts'
import shop from './example-shop.json' with { type: 'json' }
import { type RandomBelow, happens, seededRandom, spread, weighted } from './seeded-random.js'

/** A later event of an order, with its delay. */
export type ExampleStep =
  | { readonly kind: 'status'; readonly afterMs: number; readonly to: TransactionStatus }
  /** It is not paid in time. */
  | { readonly kind: 'lapse'; readonly to: 'EXPIRED' | 'NOT-PAID' }
  | { readonly kind: 'refund'; readonly afterMs: number; readonly amountMinor: number }

export interface ExamplePayment {
  readonly createdAtMs: number
  /** The body of `POST /transactions`. */
  readonly body: object
  /** In order of time. */
  readonly steps: readonly ExampleStep[]
}

export const EXAMPLE_SEED = 20_261_128
const DAYS = 30
const ORDERS_A_DAY = 12
const BRASILIA_MS = -3 * HOUR_MS
/** No example is from the last minute, in which the shop's own orders begin. */
const NEWEST_MS = MINUTE_MS
const NOTIFICATION_URL = 'https://loja.example/notificacoes'
const REDIRECTS = {
  success: 'https://loja.example/obrigado',
  fail: 'https://loja.example/carrinho',
}
const FIRST_REFERENCE = 10_231

export interface ExampleMonth {
  /** The end of the month. */
  readonly untilMs: number
  /** The wallets that the store accepts. */
  readonly wallets: readonly string[]
}

/** The orders of the 30 days before a time, oldest first. */
export function exampleMonth({ untilMs, wallets }: ExampleMonth): readonly ExamplePayment[] {
  const randomBelow = seededRandom(EXAMPLE_SEED)
  return timesOf(untilMs, randomBelow).map((createdAtMs, i) =>
    orderOf({ createdAtMs, reference: `exemplo-${FIRST_REFERENCE + i}`, wallets }, randomBelow),
  )
}

function timesOf(untilMs: number, randomBelow: RandomBelow): readonly number[] {
  const today = Math.floor((untilMs + BRASILIA_MS) / DAY_MS)
  const hours = shop.hours.map((weight, hour) => ({ hour, weight }))
  return Array.from({ length: DAYS }, (_, i) => today - DAYS + 1 + i)
    .flatMap((day) => {
      const startMs = day * DAY_MS - BRASILIA_MS
      // The first of January 1970 was a Thursday.
      const weekday = shop.weekdays[(day + 4) % 7] ?? 1
      const count = Math.round((ORDERS_A_DAY * weekday * (85 + randomBelow(31))) / 100)
      return Array.from({ length: count }, () => {
        const { hour } = weighted(randomBelow, hours, ({ weight }) => weight)
        return startMs + hour * HOUR_MS + randomBelow(HOUR_MS)
      })
    })
    .filter((timeMs) => timeMs < untilMs - NEWEST_MS && timeMs >= untilMs - DAYS * DAY_MS)
    .toSorted((one, other) => one - other)
}

interface Order extends Pick<ExampleMonth, 'wallets'> {
  readonly createdAtMs: number
  readonly reference: string
}

/** A method of payment, with its later events. */
interface Payment {
  readonly charge: object
  readonly steps: readonly ExampleStep[]
}

function orderOf(order: Order, randomBelow: RandomBelow): ExamplePayment {
  const { createdAtMs, reference, wallets } = order
  const cart = cartOf(randomBelow)
  const centavos = cart.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
  const payer = payerOf(randomBelow)
  const share = randomBelow(100)
  const pay = share < 47 ? byCard : share < 83 ? byPix : share < 94 ? byBoleto : byWallet
  const { charge, steps } = pay({ createdAtMs, centavos, wallets }, randomBelow)
  const body = {
    transaction: {
      reference,
      country: 'BR',
      currency: 'BRL',
      'checkout-type': 'direct',
      'notification-url': NOTIFICATION_URL,
      language: 'pt-BR',
      ...(pay === byWallet && { 'redirect-urls': REDIRECTS }),
    },
    charge: [{ amount: centavos / 100, currency: 'BRL', ...charge }],
    payer,
    cart: cart.map(({ description, price, quantity }) => ({
      quantity,
      description,
      'unit-price': price / 100,
      type: 'digital',
    })),
  }
  return { createdAtMs, body, steps }
}

function cartOf(randomBelow: RandomBelow) {
  const kinds = 1 + (happens(randomBelow, 0.35) ? 1 : 0) + (happens(randomBelow, 0.1) ? 1 : 0)
  const chosen = new Set(
    Array.from({ length: kinds }, () => weighted(randomBelow, shop.products, (of) => of.weight)),
  )
  return [...chosen].map(({ centavos: price, description }) => {
    return { description, price, quantity: price < 10_000 ? 1 + randomBelow(2) : 1 }
  })
}

function payerOf(randomBelow: RandomBelow) {
  const one = (from: readonly string[]): string => from[randomBelow(from.length)] ?? ''
  const digits = (count: number): string =>
    Array.from({ length: count }, () => String(randomBelow(10))).join('')
  const birth = { 'birth-date': `${1955 + randomBelow(50)}-0${1 + randomBelow(9)}-1${digits(1)}` }
  const phone = { 'phone-number': `+55${11 + randomBelow(9)}9${digits(8)}` }
  // An address reserved for documentation (RFC 5737).
  const ip = `203.0.113.${1 + randomBelow(254)}`
  if (happens(randomBelow, 0.05)) {
    const name = one(shop.companies)
    const document = { type: 'CNPJ', number: cnpjOf(`${digits(8)}0001`) }
    return { name, email: `compras@${mailName(name)}.example`, ...birth, ...phone, document, ip }
  }
  const [first, last] = [one(shop.firstNames), one(shop.lastNames)]
  const name = happens(randomBelow, 0.4)
    ? `${first} ${one(shop.lastNames)} ${last}`
    : `${first} ${last}`
  const email = `${mailName(first)}.${mailName(last)}${randomBelow(90) + 10}@example.com`
  const document = { type: 'CPF', number: cpfOf(digits(9)) }
  return { name, email, ...birth, ...phone, document, ip }
}

function mailName(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/[^a-z ]/gi, '')
    .toLowerCase()
    .replaceAll(' ', '-')
}

interface Purchase extends Pick<Order, 'createdAtMs' | 'wallets'> {
  readonly centavos: number
}

function byCard({ createdAtMs, centavos }: Purchase, randomBelow: RandomBelow): Payment {
  const share = randomBelow(1000)
  const isDeclined = share < 135
  const isReviewed = share >= 985
  const { number } = isReviewed
    ? { number: shop.reviewed }
    : weighted(randomBelow, isDeclined ? shop.declined : shop.cards, ({ weight }) => weight)
  const most = Math.min(10, Math.floor(centavos / 3000))
  const installments = most > 1 && happens(randomBelow, 0.45) ? 2 + randomBelow(most - 1) : 1
  const expiry = `${new Date(createdAtMs).getUTCFullYear() + 2 + randomBelow(4)}-0${1 + randomBelow(9)}`
  const cvv = number.length === 15 ? '1234' : '123'
  const charge = {
    'payment-method': { type: 'credit-card' },
    'payment-info': { installments, 'credit-card': { number, cvv, 'expiration-date': expiry } },
  }
  if (isDeclined) return { charge, steps: [] }
  if (isReviewed) {
    const to = happens(randomBelow, 0.7) ? 'COMPLETE' : 'CANCELLED'
    const afterMs = spread(randomBelow, HOUR_MS, 20 * HOUR_MS)
    return { charge, steps: [{ kind: 'status', afterMs, to }] }
  }
  if (happens(randomBelow, 0.016)) {
    const afterMs = spread(randomBelow, 6 * DAY_MS, 14 * DAY_MS)
    return { charge, steps: [{ kind: 'status', afterMs, to: 'CHARGEBACK' }] }
  }
  return { charge, steps: refundOf(centavos, randomBelow) }
}

function byPix({ centavos }: Purchase, randomBelow: RandomBelow): Payment {
  const charge = { 'payment-method': { type: 'eft', 'sub-type': 'pix' } }
  if (happens(randomBelow, 0.17)) return { charge, steps: [{ kind: 'lapse', to: 'EXPIRED' }] }
  const isSoon = happens(randomBelow, 0.85)
  const paidMs = isSoon
    ? spread(randomBelow, 20_000, 12 * MINUTE_MS)
    : spread(randomBelow, 20 * MINUTE_MS, 20 * HOUR_MS)
  return { charge, steps: paidAfter(paidMs, refundOf(centavos, randomBelow)) }
}

function byBoleto({ centavos }: Purchase, randomBelow: RandomBelow): Payment {
  const charge = { 'payment-method': { type: 'postpay', 'sub-type': 'boleto' } }
  if (happens(randomBelow, 0.36)) return { charge, steps: [{ kind: 'lapse', to: 'NOT-PAID' }] }
  const paidMs = spread(randomBelow, 8 * HOUR_MS, 60 * HOUR_MS)
  return { charge, steps: paidAfter(paidMs, refundOf(centavos, randomBelow)) }
}

function byWallet(purchase: Purchase, randomBelow: RandomBelow): Payment {
  const { wallets } = purchase
  const wallet = wallets[randomBelow(Math.max(1, wallets.length))]
  // The shop accepts no wallet, so the payer uses PIX.
  if (wallet === undefined) return byPix(purchase, randomBelow)
  const charge = { 'payment-method': { type: 'e-wallet', 'sub-type': wallet } }
  if (happens(randomBelow, 0.2)) return { charge, steps: [{ kind: 'lapse', to: 'EXPIRED' }] }
  return { charge, steps: paidAfter(spread(randomBelow, MINUTE_MS, 20 * MINUTE_MS), []) }
}

function paidAfter(afterMs: number, later: readonly ExampleStep[]): readonly ExampleStep[] {
  const moved = later.map((step) =>
    step.kind === 'lapse' ? step : { ...step, afterMs: step.afterMs + afterMs },
  )
  return [{ kind: 'status', afterMs, to: 'COMPLETE' }, ...moved]
}

/** Refunds some payments a few days later, in whole or in part. */
function refundOf(centavos: number, randomBelow: RandomBelow): readonly ExampleStep[] {
  if (!happens(randomBelow, 0.06)) return []
  const isWhole = happens(randomBelow, 0.6)
  const amountMinor = isWhole ? centavos : Math.round((centavos * (20 + randomBelow(50))) / 100)
  return [{ kind: 'refund', afterMs: spread(randomBelow, 5 * HOUR_MS, 6 * DAY_MS), amountMinor }]
}
