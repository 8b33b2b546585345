import { type Clock, DAY_MS } from '@cofre/contracts'
import type { BankBoleto, BoletoPayment } from '@cofre/provider-kit/bank'
import type { CallPriority } from '@cofre/provider-kit/outbound'
import {
  type PixApiAnswer,
  type PixApiCaller,
  paymentsAnswerSchema,
  periodQuery,
} from '@cofre/pix-api/bank'
import type { InterBoleto } from './inter-wire.js'

interface PaymentsContext {
  readonly pix: PixApiCaller
  readonly clock: Clock
  readonly priority: CallPriority
}

type Payments = PixApiAnswer<readonly BoletoPayment[]>

const PAGES_MAX = 20
/** The bank reports only a boleto's day, which may be a business day after that of its PIX. */
const DAYS_AROUND = 6

const unknown = (detail: string): Payments => ({ kind: 'unknown', detail })

/**
 * Adds a boleto's payments. A PIX is read from the API Pix, which has its end-to-end id and
 * refunds. Until it is listed there, the payment is unknown: a second id would count the money
 * twice.
 */
export async function withPayments(
  boleto: InterBoleto,
  context: PaymentsContext,
): Promise<PixApiAnswer<BankBoleto>> {
  const paid = await paymentsOf(boleto, context)
  if (paid.kind !== 'done') return paid
  const { state, bankId, amountMinor, dueDate, codes, reason } = boleto
  const shown = { state, bankId, amountMinor, dueDate, codes, reason }
  return { kind: 'done', value: { ...shown, payments: paid.value } }
}

async function paymentsOf(
  { bankId, name, receipt, txid }: InterBoleto,
  context: PaymentsContext,
): Promise<Payments> {
  if (receipt === undefined) return { kind: 'done', value: [] }
  const { amountMinor, way } = receipt
  switch (way) {
    case 'not-known':
      return unknown('the bank does not say how the boleto was paid')
    case 'line':
    case 'elsewhere':
      if (amountMinor === undefined) return unknown('the bank does not say how much was paid')
      return {
        kind: 'done',
        value: [{ endToEndId: nameOf(bankId, way), txid: name, amountMinor, refunds: [], way }],
      }
    case 'pix': {
      if (txid === undefined) return unknown('the bank does not name the PIX of the boleto')
      const found = await pixOf(txid, receipt.on, context)
      if (found.kind !== 'done') return found
      const value = found.value.map((payment) => ({ ...payment, txid: name }))
      return value.length > 0
        ? { kind: 'done', value }
        : unknown('the bank does not list yet the PIX that paid the boleto')
    }
  }
}

/**
 * Derived from the bank's id of the boleto, for which it reports one payment. A payment marked by
 * hand has another id: the payer may have paid before, which the bank learns a day later.
 */
function nameOf(bankId: string, way: 'line' | 'elsewhere'): string {
  return way === 'line' ? bankId : `${bankId}-elsewhere`
}

async function pixOf(
  txid: string,
  on: string | undefined,
  { pix, clock, priority }: PaymentsContext,
): Promise<Payments> {
  const dayMs = on === undefined ? clock.now() : Date.parse(`${on}T12:00:00Z`)
  const fromMs = dayMs - DAYS_AROUND * DAY_MS
  const toMs = Math.min(dayMs + DAYS_AROUND * DAY_MS, clock.now())
  // The standard and Inter's document name the filter differently; a bank that has neither lists
  // all payments.
  const filter = new URLSearchParams({ txid, txId: txid }).toString()
  const payments: BoletoPayment[] = []
  let page: number | undefined = 0
  while (page !== undefined && page < PAGES_MAX) {
    const listed: Awaited<ReturnType<typeof pageOf>> = await pageOf(page)
    if (listed.kind !== 'done') return listed
    const ours = listed.value.payments.filter((payment) => payment.txid === txid)
    payments.push(...ours.map((payment) => ({ ...payment, way: 'pix' as const })))
    page = listed.value.nextPage
  }
  return { kind: 'done', value: payments }

  function pageOf(at: number) {
    return pix({
      operation: 'pix.of_boleto',
      method: 'GET',
      resource: 'pix',
      path: `?${periodQuery(fromMs, toMs, at)}&${filter}`,
      answer: paymentsAnswerSchema(at),
      priority,
    })
  }
}
