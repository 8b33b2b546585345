import { type Answer, type MinorUnits, Secret, minorUnits } from '@cofre/contracts'
import type { TestEngine } from '@cofre/sql/testing'
import { type BankTestOptions, openBankGateway } from '../banks.fixture.js'
import { MERCHANT, NOW_MS, railRequest } from '../../../gateway/src/gateway.fixture.js'
import type { ProviderAccount } from '@cofre/provider-kit/account'
import { REFUSED, createBankCalls } from './bank-calls.fixture.js'
import type {
  PixBank,
  PixBankCharge,
  PixBankPayment,
  PixBankRefund,
  PixTxid,
} from '@cofre/provider-kit/bank'
import type {
  Transaction,
  TransactionCode,
} from '../../../gateway/src/model/transaction/transaction.js'

export type BankCall = Exclude<keyof PixBank, 'receiver'>

interface BookedCharge {
  state: PixBankCharge['state']
  amountMinor: MinorUnits
  expiresAtMs: number
  readonly payments: (PixBankPayment & { refunds: PixBankRefund[] })[]
}

/** A bank with the central bank's API, in memory. */
export function createFakeBank(now: () => number) {
  const charges = new Map<string, BookedCharge>()
  const foreign: PixBankPayment[] = []
  const { calls, disturb, on } = createBankCalls<BankCall>()
  let payments = 0
  const settings = {
    /** Overrides the bank's answers about charges. */
    answers: {} as Partial<PixBankCharge>,
    /** The first answer to a refund. */
    refunds: 'returned' as PixBankRefund['state'],
    pageSize: 2,
  }

  const newest = (): PixTxid => [...charges.keys()].at(-1) as PixTxid
  const answerOf = (txid: PixTxid): Answer<PixBankCharge> => {
    const charge = charges.get(txid)
    if (charge === undefined) return { kind: 'absent' }
    const location = `pix.example.com/qr/v2/${txid}`
    return { kind: 'done', value: structuredClone({ location, ...charge, ...settings.answers }) }
  }
  const paymentOf = (endToEndId: string) =>
    [...charges.values()]
      .flatMap((charge) => charge.payments)
      .find((payment) => payment.endToEndId === endToEndId)
  const refundOf = (endToEndId: string, refundId: string): Answer<PixBankRefund> => {
    const found = paymentOf(endToEndId)?.refunds.find(({ id }) => id === refundId)
    return found === undefined ? { kind: 'absent' } : { kind: 'done', value: { ...found } }
  }

  const bank: PixBank = {
    receiver: { name: 'Loja Um', city: 'São Paulo' },
    openCharge: ({ txid, amountMinor, lifetimeSeconds }) =>
      on('openCharge', () => {
        const expiresAtMs = now() + lifetimeSeconds * 1000
        const isOld = charges.has(txid)
        if (!isOld) charges.set(txid, { state: 'open', amountMinor, expiresAtMs, payments: [] })
        return isOld ? REFUSED : answerOf(txid)
      }),
    findCharge: (txid) => on('findCharge', () => answerOf(txid)),
    removeCharge: (txid) =>
      on('removeCharge', () => {
        const charge = charges.get(txid)
        if (charge?.state === 'open') charge.state = 'removed'
        return answerOf(txid)
      }),
    refund: ({ endToEndId, refundId, amountMinor }) =>
      on('refund', () => {
        const payment = paymentOf(endToEndId)
        if (payment === undefined) return { kind: 'absent' }
        const sentMinor = payment.refunds
          .filter(({ state }) => state !== 'not-done')
          .reduce<number>((sum, refund) => sum + refund.amountMinor, amountMinor)
        const isOld = payment.refunds.some(({ id }) => id === refundId)
        if (isOld || sentMinor > payment.amountMinor) return REFUSED
        payment.refunds.push({ id: refundId, amountMinor, state: settings.refunds })
        return refundOf(endToEndId, refundId)
      }),
    findRefund: ({ endToEndId, refundId }) =>
      on('findRefund', () => refundOf(endToEndId, refundId)),
    listPayments: ({ fromMs, toMs }, page) =>
      on('listPayments', () => {
        const all = [
          ...foreign,
          ...[...charges].flatMap(([txid, charge]) =>
            charge.payments.map((payment) => ({ ...payment, txid })),
          ),
        ].filter(({ paidAtMs = 0 }) => paidAtMs >= fromMs && paidAtMs <= toMs)
        const { pageSize } = settings
        const shown = all.slice(page * pageSize, (page + 1) * pageSize)
        const hasMore = all.length > (page + 1) * pageSize
        return {
          kind: 'done',
          value: structuredClone({ payments: shown, ...(hasMore && { nextPage: page + 1 }) }),
        }
      }),
  }

  return {
    bank,
    charges,
    /** Payments of other systems. */
    foreign,
    /** The calls so far. */
    calls,
    settings,
    disturb,
    /** The txid of the newest charge. */
    get txid(): PixTxid {
      return newest()
    },
    /** Pays the newest or another charge. */
    pay(amount = 10_000, txid: string = newest(), paidAtMs: number = now()): string {
      const charge = charges.get(txid)!
      const endToEndId = `E00000000202611211200${String(++payments).padStart(11, '0')}`
      const amountMinor = minorUnits(amount)
      charge.payments.push({ endToEndId, amountMinor, paidAtMs, refunds: [] })
      charge.state = 'paid'
      return endToEndId
    },
    /** All refunds that it has made, in centavos. */
    refundedMinor: (): number =>
      [...charges.values()]
        .flatMap((charge) => charge.payments.flatMap(({ refunds }) => refunds))
        .filter(({ state }) => state !== 'not-done')
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0),
  }
}

export function accountOf(id: string, merchantId: string = MERCHANT.id): ProviderAccount {
  return {
    id,
    merchantId,
    provider: 'fake',
    kind: 'live',
    label: 'Bank of the tests',
    settings: {},
    secrets: { credentials: new Secret('{}'), noticeSecret: new Secret('n'.repeat(32)) },
    certificateUntilMs: undefined,
    lastTest: undefined,
    disabledAtMs: undefined,
    createdAtMs: NOW_MS,
  }
}

/** A gateway of production whose store has an account at a bank. */
export async function openPixGateway(engine: TestEngine, over: BankTestOptions = {}) {
  const time = { nowMs: NOW_MS }
  const clock = { now: () => time.nowMs }
  const bank = createFakeBank(clock.now)
  const test = await openBankGateway(engine, {
    clock,
    machineClock: clock,
    bankOf: () => ({ pix: bank.bank }),
    ...over,
  })
  await test.parts.accounts.create(accountOf('bank-1'), ['pix'], 'operator:ana')
  return {
    ...test,
    test,
    bank,
    time,
    create: (reference: string, headers: Record<string, string> = {}) =>
      test.send('POST', '/transactions', { body: railRequest(reference, 'pix'), headers }),
    /** The transaction of a reference, as the database has it. */
    find: (reference: string): Promise<Transaction | undefined> =>
      test.parts.transactions.findByReference(MERCHANT.id, reference),
    details: (code: TransactionCode) => test.parts.bankCharges.details(code),
  }
}

export type PixGateway = Awaited<ReturnType<typeof openPixGateway>>
