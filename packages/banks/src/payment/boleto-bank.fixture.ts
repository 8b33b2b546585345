import { type Answer, type MinorUnits, minorUnits } from '@cofre/contracts'
import type { TestEngine } from '@cofre/sql/testing'
import { vi } from 'vitest'
import { type BankTestOptions, openBankGateway } from '../banks.fixture.js'
import { MERCHANT, NOW_MS, railRequest } from '../../../gateway/src/gateway.fixture.js'
import {
  boletoBarcode,
  digitableLine,
  type BankBoleto,
  type BoletoBank,
  type BoletoCodes,
  type BoletoName,
  type BoletoOrder,
  type BoletoPayment,
  pixCode,
  type PixBankRefund,
} from '@cofre/provider-kit/bank'
import type {
  Transaction,
  TransactionCode,
} from '../../../gateway/src/model/transaction/transaction.js'
import { REFUSED, createBankCalls } from './bank-calls.fixture.js'
import { accountOf } from './pix-bank.fixture.js'

export type BoletoCall = 'issue' | 'find' | 'cancel' | 'refund' | 'findRefund' | 'listNotices'

interface BookedBoleto {
  state: BankBoleto['state']
  reason?: string
  readonly bankId: string
  readonly order: BoletoOrder
  readonly payments: (BoletoPayment & { refunds: PixBankRefund[] })[]
}

/** The request to a bank for a boleto of R$ 100. */
export function boletoOrderOf(name: BoletoName, over: Partial<BoletoOrder> = {}): BoletoOrder {
  return {
    name,
    amountMinor: minorUnits(10_000),
    dueDate: '2026-11-24',
    payableDays: 8,
    description: 'Pedido 1',
    payer: {
      name: 'Maria da Silva',
      document: '52998224725',
      email: 'maria@example.com',
      address: {
        street: 'Rua A',
        number: '1',
        complement: undefined,
        district: 'Centro',
        city: 'Recife',
        state: 'PE',
        postalCode: '50010000',
      },
    },
    ...over,
  }
}

/**
 * A bank that registers boletos with PIX, in memory. It issues two under one name, if so requested.
 */
export function createFakeBoletoBank(now: () => number) {
  const { calls, disturb, on } = createBankCalls<BoletoCall>()
  const boletos: BookedBoleto[] = []
  let payments = 0
  const settings = {
    /** The state of a boleto that it accepts. */
    takenAs: 'open' as BankBoleto['state'],
    /** True if a cancelled boleto is gone at once. */
    cancelsAtOnce: true,
    /** Overrides the bank's answers. */
    answers: {} as Partial<BankBoleto>,
    codes: {} as Partial<BoletoCodes>,
    refunds: 'returned' as PixBankRefund['state'],
    notified: [] as string[],
    minimumMinor: minorUnits(250),
  }

  const booked = (name: string) => boletos.find(({ order }) => order.name === name)
  const answerOf = (boleto: BookedBoleto | undefined): Answer<BankBoleto> => {
    if (boleto === undefined) return { kind: 'absent' }
    const { state, reason, bankId, order } = boleto
    const { amountMinor, dueDate } = order
    const isIssued = state !== 'issuing' && state !== 'failed'
    const codes = isIssued ? { ...codesOf(order, bankId), ...settings.codes } : undefined
    const { answers } = settings
    const value = { state, reason, bankId, amountMinor, dueDate, codes, ...answers }
    return { kind: 'done', value: structuredClone({ ...value, payments: boleto.payments }) }
  }
  const paymentOf = (endToEndId: string) =>
    boletos.flatMap((boleto) => boleto.payments).find((paid) => paid.endToEndId === endToEndId)
  const refundOf = (endToEndId: string, refundId: string): Answer<PixBankRefund> => {
    const found = paymentOf(endToEndId)?.refunds.find(({ id }) => id === refundId)
    return found === undefined ? { kind: 'absent' } : { kind: 'done', value: { ...found } }
  }

  const bank: BoletoBank = {
    get minimumMinor(): MinorUnits {
      return settings.minimumMinor
    },
    receiver: { name: 'Loja Um', city: 'São Paulo' },
    issue: (order) =>
      on('issue', () => {
        const bankId = `00000000-0000-4000-8000-${String(boletos.length + 1).padStart(12, '0')}`
        boletos.push({ state: settings.takenAs, bankId, order, payments: [] })
        return answerOf(boletos.at(-1))
      }),
    find: ({ name }) => on('find', () => answerOf(booked(name))),
    cancel: ({ name }) =>
      on('cancel', () => {
        const boleto = booked(name)
        const isLive = boleto?.state === 'open' || boleto?.state === 'issuing'
        if (isLive && settings.cancelsAtOnce) boleto.state = 'removed'
        return answerOf(boleto)
      }),
    listNotices: () => on('listNotices', () => ({ kind: 'done', value: [...settings.notified] })),
    refund: ({ endToEndId, refundId, amountMinor }) =>
      on('refund', () => {
        const payment = paymentOf(endToEndId)
        if (payment?.way !== 'pix') return REFUSED
        payment.refunds.push({ id: refundId, amountMinor, state: settings.refunds })
        return refundOf(endToEndId, refundId)
      }),
    findRefund: ({ endToEndId, refundId }) =>
      on('findRefund', () => refundOf(endToEndId, refundId)),
  }

  return {
    bank,
    boletos,
    calls,
    disturb,
    settings,
    /** The name of the newest boleto. */
    get name(): BoletoName {
      return boletos.at(-1)!.order.name
    },
    /** Issues an accepted boleto, or fails to. */
    decide(state: BankBoleto['state'], reason?: string): void {
      Object.assign(boletos.at(-1)!, { state, reason })
    },
    /** Pays the newest or another boleto. */
    pay(
      way: BoletoPayment['way'],
      {
        amount = 10_000,
        name = boletos.at(-1)!.order.name,
        paidAtMs = now(),
      }: { amount?: number; name?: string; paidAtMs?: number } = {},
    ): string {
      const boleto = booked(name)!
      const endToEndId =
        way === 'pix' ? `E1${String(++payments).padStart(30, '0')}` : `line-${++payments}`
      boleto.payments.push({
        endToEndId,
        amountMinor: minorUnits(amount),
        paidAtMs,
        refunds: [],
        way,
      })
      boleto.state = 'paid'
      return endToEndId
    },
    refundedMinor: (): number =>
      boletos
        .flatMap((boleto) => boleto.payments.flatMap(({ refunds }) => refunds))
        .filter(({ state }) => state !== 'not-done')
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0),
  }
}

/** The codes with which such a boleto is paid. */
export function codesOf({ amountMinor, dueDate }: BoletoOrder, bankId: string): BoletoCodes {
  const ourNumber = bankId.slice(-11)
  const freeField = `0001112${ourNumber}0000000`
  const barcode = boletoBarcode({ bank: '077', dueDate, amountMinor, freeField })
  const location = `pix.example.com/qr/v2/cobv/${bankId}`
  const code = pixCode({ location, amountMinor, receiverName: 'Loja Um', receiverCity: 'Recife' })
  return { barcode, digitableLine: digitableLine(barcode), pixCode: code, ourNumber }
}

export const ADDRESS = {
  street: 'Rua das Flores',
  number: '12',
  district: 'Centro',
  city: 'Curitiba',
  state: 'PR',
  country: 'BR',
  'zip-code': '80010000',
}

/** A valid request for a boleto at a bank. */
export function boletoRequest(
  reference: string,
  { address = ADDRESS, amount = 100 }: { address?: object; amount?: number } = {},
) {
  const request = railRequest(reference, 'boleto', { amount })
  return { ...request, payer: { ...request.payer, address } }
}

/** A gateway of production whose store has an account at a bank of boletos. */
export async function openBoletoGateway(engine: TestEngine, over: BankTestOptions = {}) {
  const time = { nowMs: NOW_MS }
  const clock = { now: () => time.nowMs }
  const bank = createFakeBoletoBank(clock.now)
  /** Runs during a pause. */
  const pauses: { meanwhile: () => void; readonly taken: number[] } = {
    meanwhile: () => undefined,
    taken: [],
  }
  const test = await openBankGateway(engine, {
    clock,
    machineClock: clock,
    bankOf: () => ({ boleto: bank.bank }),
    pause(durationMs) {
      time.nowMs += durationMs
      if (vi.isFakeTimers()) vi.advanceTimersByTime(durationMs)
      pauses.taken.push(durationMs)
      pauses.meanwhile()
      return Promise.resolve()
    },
    ...over,
  })
  await test.parts.accounts.create(accountOf('bank-1'), ['boleto'], 'operator:ana')
  return {
    ...test,
    test,
    bank,
    time,
    pauses,
    create: (reference: string, headers: Record<string, string> = {}) =>
      test.send('POST', '/transactions', { body: boletoRequest(reference), headers }),
    /** The transaction of a reference, as the database has it. */
    find: (reference: string): Promise<Transaction | undefined> =>
      test.parts.transactions.findByReference(MERCHANT.id, reference),
    details: (code: TransactionCode) => test.parts.bankCharges.details(code),
  }
}

export type BoletoGateway = Awaited<ReturnType<typeof openBoletoGateway>>
