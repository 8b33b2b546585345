import type { CardAnswer, CardOrder } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { createLanes } from '@cofre/work'
import type {
  Acquirer,
  AuthorizeRequest,
  AcquirerAnswer,
  ChargeDecision,
  CheckDecision,
  CheckRequest,
  CancelRequest,
  CaptureDecision,
  FoundPayment,
  ReturnDecision,
} from '@cofre/provider-kit/card'
import { createDataKeys } from '../data-key/data-key-service.js'
import type { VaultTables } from '../database/vault-tables.js'
import { type TestAnswer, type TestVault, resultOf } from '../vault.fixture.js'
import { createAuthorize, recallAuthorization } from './authorization-service.js'
import type { RoutedAccount } from './card-charge.js'
import { askForCancels, endCharges, eraseOldCards } from './charge-upkeep-service.js'
import type { ChargingDeps } from './charging-deps.js'
import type { AnsweredAttempt } from './charging.js'

/**
 * The fate of one call. `lost` books the charge and loses the answer, `away` is no connection.
 * `hangs` books it and never answers, as for a process that is killed meanwhile.
 */
export type TestCall = TestAnswer | 'lost' | 'away' | 'hangs'

const APPROVED_CHECK: AcquirerAnswer<CheckDecision> = {
  kind: 'done',
  value: { outcome: 'approved', ids: { networkTransactionId: 'network of the check' } },
}

/** Replays an answer under its key, like Adyen, and records its requests. */
export class TestAccount implements Acquirer {
  readonly account: RoutedAccount
  readonly requests: AuthorizeRequest[] = []
  readonly cancels: CancelRequest[] = []
  /** The charges, by key. */
  readonly books = new Map<string, string>()
  /** One for each call, then approval. */
  calls: TestCall[] = []
  cancelResults: AcquirerAnswer<ReturnDecision>[] = []
  findResults: AcquirerAnswer<FoundPayment>[] = []
  find?: () => Promise<AcquirerAnswer<FoundPayment>>
  /** Set if it can capture a charge later. */
  captureDays: number | undefined = undefined
  check?: NonNullable<Acquirer['check']>
  readonly checks: CheckRequest[] = []
  checkResults: AcquirerAnswer<CheckDecision>[] = []
  /** Fails if its credentials cannot be opened. */
  opened: () => Promise<Acquirer> = () => Promise.resolve(this)
  /** Runs while a call is under way. */
  during: () => void | Promise<void> = () => undefined

  constructor(id: string) {
    this.account = { id, provider: 'adyen', acquirer: () => this.opened() }
  }

  async authorize(request: AuthorizeRequest): Promise<AcquirerAnswer<ChargeDecision>> {
    this.requests.push(request)
    await this.during()
    await new Promise((resolve) => setImmediate(resolve))
    const call = this.calls.shift() ?? 'approved'
    const isFirst = request.earlier === undefined
    if (call === 'away') {
      const detail = 'no connection'
      return isFirst
        ? { kind: 'not-sent', cause: 'no-connection', detail }
        : { kind: 'unknown', detail }
    }
    const { transactionCode, environment, installation } = request.key
    const key = [installation, environment, transactionCode].join(' ')
    const paymentId = `${this.account.id}-${transactionCode}`
    if (call === 'lost' || call === 'hangs' || call === 'approved') this.books.set(key, paymentId)
    if (call === 'hangs') return await new Promise<never>(() => undefined)
    if (call === 'lost') return { kind: 'unknown', detail: 'the answer was lost' }
    return resultOf(call, paymentId)
  }

  capture = (): Promise<AcquirerAnswer<CaptureDecision>> =>
    Promise.resolve({ kind: 'done', value: { state: 'done', captureId: undefined } })

  cancel(request: CancelRequest): Promise<AcquirerAnswer<ReturnDecision>> {
    this.cancels.push(request)
    return Promise.resolve(
      this.cancelResults.shift() ?? { kind: 'done', value: { state: 'done', returnId: undefined } },
    )
  }

  /** Makes it check cards: by these answers, then with an approval. */
  withCheck(...results: AcquirerAnswer<CheckDecision>[]): this {
    this.checkResults = results
    this.check = async (request) => {
      this.checks.push(request)
      await this.during()
      return this.checkResults.shift() ?? APPROVED_CHECK
    }
    return this
  }

  /** Makes it readable from now on. */
  withFind(...results: AcquirerAnswer<FoundPayment>[]): void {
    this.findResults = results
    this.find = () =>
      Promise.resolve(this.findResults.shift() ?? { kind: 'unknown', detail: 'no answer' })
  }

  refund = (): Promise<never> => Promise.reject(new Error('nobody refunds here'))
  close = (): Promise<void> => Promise.resolve()
}

export interface TestProcess {
  readonly deps: ChargingDeps
  authorize(order: CardOrder): Promise<CardAnswer>
  recall(order: CardOrder): Promise<CardAnswer | undefined>
  /** Runs the work that no gateway requests. */
  followUp(): Promise<void>
  readonly attempts: AnsweredAttempt[]
  /** Accounts that were read by their ids. */
  readonly read: string[]
  /** Accounts and brands of charges that were sent without an id that the brand wants. */
  readonly unlinked: string[]
}

/** @param database - The process's own, if it has one. */
export function startProcess(
  test: TestVault,
  accounts: readonly TestAccount[],
  database: Database<VaultTables> = test.database,
): TestProcess {
  const { clock, log, deps: given } = test
  const attempts: AnsweredAttempt[] = []
  const read: string[] = []
  const unlinked: string[] = []
  const deps: ChargingDeps = {
    database,
    clock,
    log,
    dataKeys: createDataKeys({ database, clock, keys: given.keys }),
    accountsOf: () =>
      Promise.resolve(({ isCapturedLater }) =>
        Promise.resolve(
          accounts.length === 0
            ? undefined
            : {
                accounts: accounts.map(({ account, captureDays }) =>
                  isCapturedLater === true ? { ...account, captureDays } : account,
                ),
                routesDeclines: false,
              },
        ),
      ),
    acquirerOf(id) {
      const found = accounts.find(({ account }) => account.id === id)
      if (found === undefined) return Promise.reject(new Error(`no account ${id}`))
      read.push(id)
      return found.opened()
    },
    played: {},
    installation: 'test',
    leaseWaitMs: 300,
    observer: {
      attemptAnswered: (attempt) => attempts.push(attempt),
      sentUnlinked: ({ accountId, brand }) => unlinked.push(`${accountId} ${brand}`),
      retryRefused: () => undefined,
      cardChecked: () => undefined,
    },
  }
  return {
    deps,
    attempts,
    read,
    unlinked,
    authorize: createAuthorize(deps),
    recall: (order) => recallAuthorization(deps, order),
    async followUp() {
      await eraseOldCards(deps)
      await endCharges(deps, createLanes())
      await askForCancels(deps, createLanes())
    },
  }
}
