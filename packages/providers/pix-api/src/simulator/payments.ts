import { DAY_MS, type MinorUnits, formatAmount } from '@cofre/contracts'
import type { BankAccount } from './account.js'
import { type Book, type Payment, type Refund, isOf, isoTime, newSettlementId } from './book.js'
import type { Components } from './wire/dated-terms.js'
import { listPage } from './list-page.js'
import { PixProblem, violation } from './wire/problem.js'
import { type PaymentQuery, amountOf, readRefund, readRefundId } from './wire/wire.js'

const REFUND_WINDOW_MS = 90 * DAY_MS

type Booked = Pick<Payment, 'receiver' | 'pixKey' | 'txid' | 'amountMinor' | 'components'>

/** The caller stores it, together with the rest of the change. */
export function newPayment(book: Book, booked: Booked): Payment {
  return {
    ...booked,
    endToEndId: newSettlementId(book, 'E'),
    bookedMs: book.clock.now(),
    refunds: [],
  }
}

/** @throws PixProblem if this receiver has no such payment */
export function findPayment(book: Book, account: BankAccount, endToEndId: string): Payment {
  const payment = book.payments.get(endToEndId)
  if (payment === undefined || !isOf(payment, account))
    throw new PixProblem('PixNaoEncontrado', 'Pix não encontrado para o e2eid informado.')
  return payment
}

export function listPayments(book: Book, account: BankAccount, query: PaymentQuery) {
  const found = [...book.payments.values()].filter((payment) => {
    if (!isOf(payment, account)) return false
    if (payment.bookedMs < query.inicio || payment.bookedMs > query.fim) return false
    if (query.txid !== undefined && payment.txid !== query.txid) return false
    // This bank does not know its payers.
    if (query.cpf !== undefined || query.cnpj !== undefined) return false
    const { txIdPresente, devolucaoPresente } = query
    const hasTxid = payment.txid !== undefined
    const hasRefunds = payment.refunds.length > 0
    return (txIdPresente ?? hasTxid) === hasTxid && (devolucaoPresente ?? hasRefunds) === hasRefunds
  })
  const { items, parametros } = listPage(found, query)
  return { parametros, pix: items.map(renderPayment) }
}

interface SentRefund {
  readonly id: string
  readonly body: unknown
}

/** Accepts a refund; its outcome comes later. A payment has one refund per id. */
export function requestRefund(book: Book, payment: Payment, sent: SentRefund): Refund {
  const id = readRefundId(sent.id)
  const { valor, descricao } = readRefund(sent.body)
  if (payment.refunds.some((refund) => refund.id === id))
    throw violation('PixDevolucaoInvalida', 'id', 'o id já foi utilizado por outra devolução')
  if (book.clock.now() > payment.bookedMs + REFUND_WINDOW_MS)
    throw violation('PixDevolucaoInvalida', 'horario', 'mais de 90 dias desde o pagamento')
  const amountMinor = amountOf(valor)
  if (amountMinor > returnableOf(payment))
    throw violation('PixDevolucaoInvalida', 'devolucao.valor', 'excede o valor do Pix')
  return bookRefund(book, payment, {
    id,
    amountMinor,
    nature: 'ORIGINAL',
    description: descricao,
    status: 'EM_PROCESSAMENTO',
  })
}

type BookedRefund = Pick<Refund, 'id' | 'amountMinor' | 'nature' | 'description' | 'status'>

export function bookRefund(book: Book, payment: Payment, booked: BookedRefund): Refund {
  const nowMs = book.clock.now()
  const refund: Refund = {
    ...booked,
    returnId: newSettlementId(book, 'D'),
    requestedMs: nowMs,
    settledMs: booked.status === 'DEVOLVIDO' ? nowMs : undefined,
  }
  payment.refunds.push(refund)
  book.save({ payment })
  return refund
}

/** @throws PixProblem */
export function findRefund(payment: Payment, id: string): Refund {
  const refund = payment.refunds.find((candidate) => candidate.id === id)
  if (refund === undefined)
    throw new PixProblem('PixDevolucaoNaoEncontrada', 'Devolução não encontrada.')
  return refund
}

/** The refundable rest of a payment: a failed refund frees its amount. */
export function returnableOf({ amountMinor, refunds }: Payment): number {
  const returned = refunds
    .filter(({ status }) => status !== 'NAO_REALIZADO')
    .reduce((sum, refund) => sum + refund.amountMinor, 0)
  return amountMinor - returned
}

export function renderPayment(payment: Payment) {
  const devolucoes = payment.refunds.map(renderRefund)
  return {
    endToEndId: payment.endToEndId,
    ...(payment.txid !== undefined && { txid: payment.txid }),
    valor: formatAmount(payment.amountMinor),
    ...(payment.components !== undefined && {
      componentesValor: renderComponents(payment.components),
    }),
    chave: payment.pixKey,
    horario: isoTime(payment.bookedMs),
    ...(devolucoes.length > 0 && { devolucoes }),
  }
}

function renderComponents(components: Components) {
  const amounts = Object.entries(components).filter(([, amount]) => amount !== undefined)
  return Object.fromEntries(
    amounts.map(([name, amount]: [string, MinorUnits]) => [name, { valor: formatAmount(amount) }]),
  )
}

export function renderRefund(refund: Refund) {
  const { settledMs, description, reason } = refund
  return {
    id: refund.id,
    rtrId: refund.returnId,
    valor: formatAmount(refund.amountMinor),
    natureza: refund.nature,
    ...(description !== undefined && { descricao: description }),
    horario: {
      solicitacao: isoTime(refund.requestedMs),
      ...(settledMs !== undefined && { liquidacao: isoTime(settledMs) }),
    },
    status: refund.status,
    ...(reason !== undefined && { motivo: reason }),
  }
}
