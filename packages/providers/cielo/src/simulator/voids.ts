// Cancels and refunds, which Cielo calls voids: its rules, and the code of each refusal.
import { DAY_MS, SECOND_MS } from '@cofre/contracts'
import {
  type Book,
  STATUS,
  type Sale,
  brazilDayNumber,
  statusOf,
  voidableOf,
  voidedOf,
} from './book.js'
import { CieloError } from './cielo-error.js'
import type { CieloConditions } from './conditions.js'

/** Days after a sale in which it can be cancelled, by its kind: Cielo, September 2026. */
const VOID_DAYS = { credit: 330, installments: 690, debit: 330, 'debit-maestro': 150 } as const
const PAUSE_MS = 5 * SECOND_MS

/** Cielo's answer to an accepted void: done if the code is 0 or 9. */
export interface VoidAnswer {
  readonly returnCode: string
  readonly returnMessage: string
}

const DONE: VoidAnswer = { returnCode: '0', returnMessage: 'Operation Successful' }
const WHOLLY_DONE: VoidAnswer = { returnCode: '9', returnMessage: 'Operation Successful' }
const TOO_LATE: VoidAnswer = { returnCode: '101', returnMessage: 'Fora do prazo' }
const TOO_MUCH: VoidAnswer = { returnCode: '102', returnMessage: 'Valor acima do saldo da venda' }
const NO_BALANCE: VoidAnswer = { returnCode: '72', returnMessage: 'Sem saldo na agenda' }
const NOT_SETTLED: VoidAnswer = { returnCode: '100', returnMessage: 'Venda nao encontrada' }
const CANCELLED_IN_PART: VoidAnswer = { returnCode: '17', returnMessage: 'Existe cancelamento' }
const FAILED: VoidAnswer = { returnCode: 'BP900', returnMessage: 'Falha na operacao' }
const TRY_AGAIN: VoidAnswer = { returnCode: '475', returnMessage: 'Tente novamente' }

interface VoidDeps {
  readonly book: Book
  readonly conditions: Pick<CieloConditions, 'refunds'>
}

/**
 * Voids an amount, by default the whole rest.
 * @throws CieloError if the void is not accepted
 */
export function voidSale(
  { book, conditions }: VoidDeps,
  sale: Sale,
  amountMinor = voidableOf(sale),
): VoidAnswer {
  const voidedMs = book.clock.now()
  const status = statusOf(sale)
  if (status === STATUS.authorized) {
    // An uncaptured sale can't be cancelled in part.
    if (amountMinor !== sale.amountMinor) throw new CieloError(400, [309])
  } else {
    if (status !== STATUS.confirmed || sale.captured === undefined) throw new CieloError(400, [309])
    const isSameDay = brazilDayNumber(voidedMs) === brazilDayNumber(sale.captured.capturedMs)
    if (isSameDay && conditions.refunds === 'from-next-day') throw new CieloError(400, [312])
    const refusal = refusalOf(sale, { amountMinor, voidedMs })
    if (refusal !== undefined) return refusal
    if (conditions.refunds === 'no-balance') return NO_BALANCE
    if (conditions.refunds === 'not-settled' && amountMinor < voidableOf(sale)) return NOT_SETTLED
  }
  sale.voids.push({ amountMinor, voidedMs, state: 'done' })
  book.save(sale)
  if (conditions.refunds === 'done-unsaid') return FAILED
  return voidableOf(sale) === 0 ? WHOLLY_DONE : DONE
}

function refusalOf(
  sale: Sale,
  { amountMinor, voidedMs }: { readonly amountMinor: number; readonly voidedMs: number },
): VoidAnswer | undefined {
  const last = sale.voids.at(-1)
  if (last !== undefined && voidedMs < last.voidedMs + PAUSE_MS) return TRY_AGAIN
  if (voidedMs > sale.receivedMs + VOID_DAYS[kindOf(sale)] * DAY_MS) return TOO_LATE
  if (sale.type === 'DebitCard' && voidedOf(sale) > 0) return CANCELLED_IN_PART
  return amountMinor > voidableOf(sale) ? TOO_MUCH : undefined
}

function kindOf({ type, brand, installments }: Sale): keyof typeof VOID_DAYS {
  if (type === 'DebitCard') return brand === 'Master' ? 'debit-maestro' : 'debit'
  return installments > 1 ? 'installments' : 'credit'
}
