import { DAY_MS } from '@cofre/contracts'
import {
  type LinkRule,
  isSameCard,
  linkFault,
  newLinkId,
  showCard,
} from '@cofre/provider-kit/simulator'
import { type Book, type CieloAccount, type Decision, STATUS, type Sale, statusOf } from './book.js'
import { CieloError } from './cielo-error.js'
import { decisionFor } from './sandbox-rules.js'
import { cardOf, readSale } from './wire.js'

const SEARCH_WINDOW_MS = 90 * DAY_MS

interface SaleToBook {
  readonly body: unknown
  readonly decide: () => Decision | undefined
  readonly links: LinkRule
}

/**
 * Books a sale with any outcome.
 * @throws CieloError if nothing is carried out
 */
export function authorize(
  book: Book,
  account: CieloAccount,
  { body, decide, links }: SaleToBook,
): Sale {
  const request = readSale(body, account)
  const card = cardOf(request)
  const { Payment: payment, Customer: customer } = request
  const { CardNumber: number, ExpirationDate: expiry, Holder: holder, CardOnFile: onFile } = card
  const receivedMs = book.clock.now()
  const shown = showCard({ number, expiry, holder })
  const sale: Sale = {
    merchantId: account.merchantId,
    paymentId: newGuid(book),
    merchantOrderId: request.MerchantOrderId,
    customerName: customer?.Name,
    type: payment.Type,
    amountMinor: payment.Amount,
    installments: payment.Installments,
    softDescriptor: payment.SoftDescriptor,
    card: shown,
    brand: card.Brand,
    cardOnFile: onFile && { usage: onFile.Usage, reason: onFile.Reason },
    sentIssuerTransactionId: payment.IssuerTransactionId,
    sentTransactionLinkId: payment.TransactionLinkId,
    issuerTransactionId: newDigits(book, 15),
    eci: payment.ExternalAuthentication?.Eci,
    tid: newDigits(book, 20),
    proofOfSale: newDigits(book, 6),
    authorizationCode: newDigits(book, 6),
    receivedMs,
    asksCapture: payment.Capture,
    captureEndsMs: receivedMs + account.captureDays * DAY_MS,
    cancelsUnfinished: account.cancelsUnfinished,
    decision: decide() ?? decisionFor(number, payment.Capture),
    voids: [],
    chargebacks: [],
    transactionLinkId: newLinkId(book.randomBytes, shown),
  }
  if (links === 'strict') refuseUnlinked(book, sale)
  captureIfRequested(book, sale)
  book.save(sale)
  return sale
}

const UNLINKED_CODE = '12'

/** The simulator's own rule: Cielo does not document this outcome. */
function refuseUnlinked({ sales, checkedCards }: Book, sale: Sale): void {
  const { card, cardOnFile, sentIssuerTransactionId, sentTransactionLinkId } = sale
  if (cardOnFile?.usage !== 'Used') return
  const charged = [...sales.values()].filter(({ decision }) => decision.end === 'authorized')
  const given = [...charged, ...checkedCards]
    .filter((other) => isSameCard(other.card, card))
    .map((other) => ({
      networkId: other.issuerTransactionId,
      linkId: other.transactionLinkId,
    }))
  const sent = { networkId: sentIssuerTransactionId, linkId: sentTransactionLinkId }
  const fault = linkFault(card, sent, given)
  if (fault !== undefined)
    sale.decision = { end: 'denied', returnCode: UNLINKED_CODE, returnMessage: fault }
}

export function captureIfRequested({ clock }: Book, sale: Sale): void {
  const { asksCapture, decision, amountMinor } = sale
  if (asksCapture && decision.end === 'authorized')
    sale.captured = { amountMinor, capturedMs: clock.now() }
}

/** Cielo's answer to a capture: done if the code is 6. */
type CaptureAnswer = Pick<Decision, 'returnCode' | 'returnMessage'>

const CAPTURED: CaptureAnswer = { returnCode: '6', returnMessage: 'Operation Successful' }
const TOO_MUCH: CaptureAnswer = { returnCode: '842', returnMessage: 'Valor acima da transacao' }
const EXPIRED: CaptureAnswer = { returnCode: '843', returnMessage: 'Data maxima expirada' }

/**
 * Captures once, all or a part, within the time limit.
 * @throws CieloError
 */
export function capture(book: Book, sale: Sale, amountMinor = sale.amountMinor): CaptureAnswer {
  if (sale.expiredMs !== undefined) return EXPIRED
  if (statusOf(sale) !== STATUS.authorized) throw new CieloError(400, [308])
  if (amountMinor > sale.amountMinor) return TOO_MUCH
  sale.captured = { amountMinor, capturedMs: book.clock.now() }
  book.save(sale)
  return CAPTURED
}

/** Ends an authorization whose time to capture is over. */
export function expireIfDue(book: Book, sale: Sale): Sale {
  const { captureEndsMs = Infinity } = sale
  if (statusOf(sale) === STATUS.authorized && book.clock.now() > captureEndsMs) {
    sale.expiredMs = captureEndsMs
    book.save(sale)
  }
  return sale
}

/** @throws CieloError if this account has no such sale */
export function findSale(book: Book, account: CieloAccount, paymentId: string): Sale {
  const sale = book.sales.get(paymentId.toLowerCase())
  if (sale?.merchantId !== account.merchantId) throw new CieloError(404, [307])
  return expireIfDue(book, sale)
}

/** All attempts of an order in the last three months, the newest first. */
export function salesOfOrder(
  book: Book,
  account: CieloAccount,
  merchantOrderId: string,
): readonly Sale[] {
  const earliestMs = book.clock.now() - SEARCH_WINDOW_MS
  return [...book.sales.values()]
    .filter((sale) => sale.merchantId === account.merchantId && sale.receivedMs >= earliestMs)
    .filter((sale) => sale.merchantOrderId === merchantOrderId)
    .map((sale) => expireIfDue(book, sale))
    .toReversed()
}

function newGuid({ randomBytes }: Book): string {
  const text = Buffer.from(randomBytes(16)).toString('hex')
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function newDigits({ randomBytes }: Book, count: number): string {
  return Array.from(randomBytes(count), (byte) => String(byte % 10)).join('')
}
