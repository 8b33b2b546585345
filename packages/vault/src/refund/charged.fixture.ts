import { type Environment, HOUR_MS, type MinorUnits, Secret, minorUnits } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type {
  Acquirer,
  AcquirerAnswer,
  FoundPayment,
  FoundDispute,
  RefundRequest,
  ReturnDecision,
} from '@cofre/provider-kit/card'
import { type CardCharge, captureEndOf, rowOfCharge } from '../authorization/card-charge.js'
import type { KeyedDatabase } from '../data-key/data-key-service.js'
import type { VaultTables } from '../database/vault-tables.js'
import { createVaultAdministration } from '../vault-administration.js'

export const ACCOUNT = 'conta-1'
export const CHARGED_AT_MS = Date.UTC(2026, 10, 21) - 30 * HOUR_MS
export const CODE = '123456789012345'
export const PAYMENT = 'PAYMENT1'

interface TestCharge {
  readonly environment?: Environment
  readonly code?: string
  readonly account?: string
  readonly state?: CardCharge['state']
  readonly paymentId?: string | undefined
  readonly amountMinor?: number
  readonly approvedAtMs?: number
  /** Makes it a charge that is captured later. */
  readonly captureDays?: number
}

interface AddedAccount {
  readonly id?: string
  /** `cielo` */
  readonly provider?: string
  readonly noticeSecret?: string
  readonly settings?: Readonly<Record<string, string>>
}

/** Adds the account whose charges {@link storeCharge} stores. */
export async function addAccount(
  keyed: KeyedDatabase,
  {
    id = ACCOUNT,
    provider = 'played',
    noticeSecret = 'AAAAAAAAAAAAAAAAAAAAAA',
    settings = {},
  }: AddedAccount = {},
): Promise<void> {
  const account = {
    id,
    merchantId: 'store-1',
    provider,
    kind: 'simulator',
    label: 'Conta',
    settings,
    secrets: { credentials: new Secret('{}'), noticeSecret: new Secret(noticeSecret) },
    certificateUntilMs: undefined,
    lastTest: undefined,
    disabledAtMs: undefined,
    createdAtMs: CHARGED_AT_MS,
  } as const
  const accounts = createVaultAdministration(keyed).accounts('production')
  await accounts.create(account, ['card'], 'operator:maria')
}

/** Stores a charge as if it had been made, approved unless the test sets another state. */
export async function storeCharge(
  database: Database<VaultTables>,
  { environment = 'production', code = CODE, state = 'approved', ...more }: TestCharge = {},
): Promise<void> {
  const paymentId = 'paymentId' in more ? more.paymentId : PAYMENT
  const { amountMinor = 10_000, approvedAtMs = CHARGED_AT_MS } = more
  const isEnded = state === 'approved' || state === 'declined'
  const charge: CardCharge = {
    key: { installation: 'test', environment, transactionCode: code },
    accountId: more.account ?? ACCOUNT,
    provider: 'played',
    state,
    firstAttemptAtMs: CHARGED_AT_MS,
    absentSinceMs: undefined,
    leaseUntilMs: 0,
    nextAskAtMs: CHARGED_AT_MS,
    payment:
      paymentId === undefined
        ? undefined
        : {
            paymentId,
            nsu: undefined,
            authorizationCode: undefined,
            eci: undefined,
            networkTransactionId: undefined,
          },
    sentEci: undefined,
    endedAtMs: isEnded ? approvedAtMs : undefined,
    captureDays: more.captureDays,
    captureEndsAtMs: state === 'approved' ? captureEndOf(more, approvedAtMs) : undefined,
  }
  await database.transact(async (trx) => {
    await trx.insertInto('card_charges').values(rowOfCharge(charge)).execute()
    await trx
      .insertInto('authorizations')
      .values({
        environment,
        transaction_code: Number(code),
        merchant_id: 'store-1',
        amount_minor: amountMinor,
        installments: 1,
        outcome: state === 'asked' || state === 'ending' ? 'unknown' : state,
        brand: 'visa',
        bin: '411111',
        last_four: '1111',
        sealed_card: null,
        save_for_payer: null,
        saved_card_code: null,
        saved_card_expiration: null,
        saved_card_created_at_ms: null,
        created_at_ms: CHARGED_AT_MS,
        knows_charges: 1,
        knows_authentication: 1,
        decline: null,
        is_captured_later: more.captureDays === undefined ? 0 : 1,
      })
      .execute()
  })
}

type Fault =
  /** It does nothing, and its answer reports that or is lost. */
  | { readonly before: AcquirerAnswer<ReturnDecision> | Error }
  /** It makes the refund, and its answer is lost. */
  | { readonly after: AcquirerAnswer<ReturnDecision> | Error }

/** An acquirer's books of one payment. Each test acquirer is a way to ask it. */
export class TestBooks {
  readonly refunds: { readonly refundId: string; readonly amountMinor: number }[] = []
  readonly requests: RefundRequest[] = []
  readonly disputes: FoundDispute[] = []
  /** The faults of the next calls, one each. */
  readonly faults: Fault[] = []
  /** Runs while a refund is requested. */
  meanwhile: () => Promise<void> = () => Promise.resolve()
  /** Runs while the payment is read. */
  meanwhileRead: () => Promise<void> = () => Promise.resolve()
  isPending = false
  isRefused = false

  get returnedMinor(): MinorUnits {
    return minorUnits(this.refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0))
  }
}

/** Like Adyen: replays by the refund's id, accepts it at once, and cannot be read. */
export function replayingAcquirer(books: TestBooks): Acquirer {
  return testAcquirer(books, (request) => {
    const { refundId, amountMinor } = request
    const isNew = books.refunds.every((refund) => refund.refundId !== refundId)
    if (isNew) books.refunds.push({ refundId, amountMinor })
    return { kind: 'done', value: { state: 'in_process', returnId: `RETURN${refundId}` } }
  })
}

/** Like Cielo: has no names for refunds, and includes them in its sum. */
export function readableAcquirer(books: TestBooks): Acquirer {
  const acquirer = testAcquirer(
    books,
    ({ earlier, returnedBeforeMinor, amountMinor, refundId }) => {
      if (earlier !== undefined) {
        const returned = books.returnedMinor - returnedBeforeMinor
        if (returned === amountMinor)
          return { kind: 'done', value: { state: 'done', returnId: undefined } }
        if (returned !== 0) return { kind: 'unknown', detail: 'another amount has been returned' }
      }
      books.refunds.push({ refundId, amountMinor })
      return { kind: 'done', value: { state: 'done', returnId: undefined } }
    },
  )
  const found = (): AcquirerAnswer<FoundPayment> => ({
    kind: 'done',
    value: {
      state: books.isPending ? 'pending' : books.isRefused ? 'declined' : 'approved',
      payment: {
        paymentId: PAYMENT,
        nsu: undefined,
        authorizationCode: undefined,
        eci: undefined,
        networkTransactionId: undefined,
      },
      decline: undefined,
      returnedMinor: books.returnedMinor,
      surplus: [],
      disputes: books.disputes,
    },
  })
  return {
    ...acquirer,
    async find() {
      const result = found()
      await books.meanwhileRead()
      return result
    },
  }
}

function testAcquirer(
  books: TestBooks,
  carryOut: (request: RefundRequest) => AcquirerAnswer<ReturnDecision>,
): Acquirer {
  const settled = (
    result: AcquirerAnswer<ReturnDecision> | Error,
  ): AcquirerAnswer<ReturnDecision> => {
    if (result instanceof Error) throw result
    return result
  }
  return {
    authorize: () => Promise.reject(new Error('not asked here')),
    cancel: () => Promise.reject(new Error('not asked here')),
    async refund(request) {
      books.requests.push(request)
      await books.meanwhile()
      const fault = books.faults.shift()
      if (fault !== undefined && 'before' in fault) return settled(fault.before)
      const result = carryOut(request)
      return fault === undefined ? result : settled(fault.after)
    },
    close: () => Promise.resolve(),
  }
}
