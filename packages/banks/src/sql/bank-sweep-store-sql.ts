import { DAY_MS, HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { sql } from 'kysely'
import { claim, isElsewhere, isPast } from '@cofre/work'
import {
  type BankSweep,
  DAILY_SWEEP_DAYS,
  LATE_SWEEP_DAYS,
  NOTICES_PAUSE_MS,
  NOTICES_PERIOD_MS,
  SWEEP_OVERLAP_MS,
  SWEEP_PAUSE_MS,
  isLate,
} from '../model/bank-charge.js'
import type { BankSweepRow, ChargeMethod, GatewayTables, SweepKind } from '@cofre/gateway/method'

type Db = Connection<GatewayTables>

const SWEEP_LEASE_MS = 2 * MINUTE_MS
const SWEEPS_AT_ONCE = 5
/** A bank that requires longer pauses is asked again anyway; notices are read as often. */
const PAUSE_MAX_MS = HOUR_MS

/** The progress of reading each account's payments, and its bank's notices. */
export function createSqlBankSweepStore(database: Database<GatewayTables>) {
  return {
    /**
     * Claims accounts whose payments are due to be read, each for exactly one caller until its
     * lease ends, even when called concurrently.
     * @param busy - Accounts whose bank is already being waited for; they are skipped.
     */
    claim: (machineNowMs: number, busy: readonly string[] = []) =>
      claimSweeps(database, machineNowMs, busy),

    /** Records that pages were read; more follow, now or after a pause. */
    readOn(sweep: BankSweep, nextPage: number, machineNowMs: number): Promise<void> {
      const { fromMs, toMs } = sweep
      return set(database, sweep, {
        next_page: nextPage,
        from_at: fromMs,
        to_at: toMs,
        lease_until: machineNowMs + SWEEP_LEASE_MS,
        unanswered_since: null,
      })
    },

    /** Records that all pages were read. */
    finish: (sweep: BankSweep, machineNowMs: number): Promise<void> =>
      database.transact((trx) => finish(trx, sweep, machineNowMs)),

    /** Records that the rest is read after a pause. */
    postpone(
      sweep: BankSweep,
      machineNowMs: number,
      pauseMs: number = pauseAfterFailureMs(sweep),
    ): Promise<void> {
      const longEnoughMs = Math.min(Math.max(pauseMs, SWEEP_PAUSE_MS), PAUSE_MAX_MS)
      return set(database, sweep, {
        next_sweep_at: machineNowMs + longEnoughMs,
        lease_until: null,
      })
    },

    /** The list cannot be continued: it is read from its start, after a pause. */
    startAgain: (sweep: BankSweep, machineNowMs: number): Promise<void> =>
      set(database, sweep, {
        next_sweep_at: machineNowMs + pauseAfterFailureMs(sweep),
        next_page: null,
        lease_until: null,
      }),

    /** The time until which every payment of an account was read. */
    async sweptUntilMs(accountId: string): Promise<number> {
      const { swept_until } = await database.reader
        .selectFrom('bank_sweeps')
        .select('swept_until')
        .where('account_id', '=', accountId)
        .where('kind', '=', 'recent')
        .executeTakeFirstOrThrow()
      return swept_until
    },
  }
}

/** The extra pause for notices of an account without live boletos: they are read once a day. */
const IDLE_MS = DAY_MS - NOTICES_PAUSE_MS

/** Old payments are not urgent, nor those that looks find too. */
function pauseAfterFailureMs({ kind }: BankSweep): number {
  return isSupplementary(kind) ? HOUR_MS : SWEEP_PAUSE_MS
}

function isSupplementary(kind: SweepKind): boolean {
  return isLate(kind) || kind === 'notices'
}

/** The pause after a complete reading. */
function pauseMsOf(kind: SweepKind): number {
  if (kind === 'recent') return SWEEP_PAUSE_MS
  return kind === 'notices' ? NOTICES_PAUSE_MS : DAY_MS
}

async function set(
  database: Database<GatewayTables>,
  sweep: BankSweep,
  columns: Partial<GatewayTables['bank_sweeps']>,
): Promise<void> {
  await database.transact((trx) => setIn(trx, sweep, columns))
}

async function setIn(
  trx: Db,
  { accountId, kind }: BankSweep,
  columns: Partial<GatewayTables['bank_sweeps']>,
): Promise<void> {
  await trx
    .updateTable('bank_sweeps')
    .set(columns)
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .execute()
}

async function finish(trx: Db, sweep: BankSweep, machineNowMs: number): Promise<void> {
  const { accountId, kind, toMs } = sweep
  await setIn(trx, sweep, {
    swept_until: toMs,
    next_sweep_at: machineNowMs + pauseMsOf(kind),
    next_page: null,
    lease_until: null,
    unanswered_since: null,
  })
  if (kind !== 'daily') return
  // While nothing is live, no recent list is read.
  await trx
    .updateTable('bank_sweeps')
    .set({ swept_until: toMs })
    .where('account_id', '=', accountId)
    .where('kind', '=', 'recent')
    .where('swept_until', '<', toMs)
    .execute()
}

async function claimSweeps(
  database: Database<GatewayTables>,
  nowMs: number,
  busy: readonly string[],
): Promise<readonly BankSweep[]> {
  const rows = await claim(database, {
    table: 'bank_sweeps',
    key: ['account_id', 'kind'],
    rows: (db) => mayBeDue(db, nowMs).where(isElsewhere(sql.ref('account_id'), busy)),
    due: {
      at: 'next_sweep_at',
      longestMs: PAUSE_MAX_MS,
      lease: { until: 'lease_until', longestMs: SWEEP_LEASE_MS },
      nowMs,
      limit: SWEEPS_AT_ONCE,
    },
    take: ({ kind, unanswered_since }) => ({
      lease_until: nowMs + SWEEP_LEASE_MS,
      // Not counted as silence if other reads cover it: of new payments, or of the boletos
      // themselves.
      unanswered_since: isSupplementary(kind) ? null : (unanswered_since ?? nowMs),
    }),
  })
  return rows.map((row) => sweepOf(row, nowMs))
}

/** Lists that are read once due: each kind has its own condition. */
function mayBeDue(db: Db, nowMs: number) {
  return db
    .selectFrom('bank_sweeps')
    .selectAll()
    .where((of) => {
      const isWanted = (method: ChargeMethod) =>
        of.or([
          of('unanswered_since', 'is not', null),
          of('next_page', 'is not', null),
          of.exists(liveCharge(db, method)),
        ])
      // Once a day anyway: a boleto that ended here may have been paid, which no look finds.
      const isDaily = isPast('next_sweep_at', nowMs - IDLE_MS, DAY_MS)
      return of.or([
        of.and([of('kind', '=', 'recent'), isWanted('pix')]),
        of.and([of('kind', '=', 'notices'), of.or([isWanted('boleto'), isDaily])]),
        // Due once a day, which is further ahead than the longest pause of the other kinds.
        of.and([
          of('kind', 'not in', ['recent', 'notices']),
          isPast('next_sweep_at', nowMs, DAY_MS),
        ]),
      ])
    })
}

/** A live charge of the sweep's account. */
function liveCharge(trx: Db, method: ChargeMethod) {
  return (
    trx
      .selectFrom('bank_charges')
      .select('transaction_code')
      .where('bank_charges.account_id', '=', sql.ref<string>('bank_sweeps.account_id'))
      .where('method', '=', method)
      // Literal, so that PostgreSQL uses the partial index.
      .where('state', '=', sql.lit('live'))
  )
}

/** The rest of a partly read list, or a new one. */
function sweepOf(row: BankSweepRow, nowMs: number): BankSweep {
  const { account_id: accountId, kind, next_page, from_at, to_at } = row
  if (next_page !== null && from_at !== null && to_at !== null)
    return { accountId, kind, fromMs: from_at, toMs: to_at, firstPage: next_page }
  if (isLate(kind)) {
    const fromMs = Math.min(row.swept_until, nowMs)
    const toMs = Math.max(fromMs, nowMs - LATE_SWEEP_DAYS[kind] * DAY_MS)
    return { accountId, kind, fromMs, toMs, firstPage: 0 }
  }
  const overlapMs = Math.min(row.swept_until, nowMs) - SWEEP_OVERLAP_MS
  const fromMs = {
    recent: overlapMs,
    daily: Math.min(overlapMs, nowMs - DAILY_SWEEP_DAYS * DAY_MS),
    notices: Math.max(overlapMs, nowMs - NOTICES_PERIOD_MS),
  }[kind]
  return { accountId, kind, fromMs, toMs: nowMs, firstPage: 0 }
}
