// Reads charges again days after their approval, to find changes whose notice was lost.
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import type { Lanes } from '@cofre/work'
import type { Acquirer } from '@cofre/provider-kit/card'
import { workAtAccounts } from '../authorization/account-lanes.js'
import { nameOf } from '../authorization/acquirer-call.js'
import type { ChargeKey } from '../authorization/card-charge.js'
import { type ReadDeps, type ReadEnd, readApproved } from '../notice/planned-read-service.js'
import { planLaterRead } from '../authorization/planned-read-sql.js'
import { coveredDaysOf, isCovered } from './covered-sql.js'
import { NOTICE_STEP, READING_STEPS, periodOf } from './reading-step.js'
import {
  type ChargeToRead,
  READING_PAUSE_MAX_MS,
  type Reading,
  type ReadingEnd,
  advanceReading,
  chargesToRead,
  claimReadings,
  countToRead,
  planReading,
  unplannedAccounts,
} from './reading-sql.js'
import { recordUnreported } from './unreported-sql.js'

const STEPS_AT_ONCE = 20
const PLAN_EVERY_MS = 10 * MINUTE_MS
/** The pause if nothing is due. */
const IDLE_MS = 5 * MINUTE_MS
/** The pause after an acquirer that did not answer. */
const REREAD_MS = 5 * MINUTE_MS
/** After this many tries, the charge gets a look of its own, and the next ones are read. */
const TRIES_MAX = 3
const CHARGES_AT_ONCE = 5
const NOTICES_AT_ONCE = 200
const MINUTES_A_DAY = DAY_MS / MINUTE_MS

/** Returns a function that makes some of the due readings. It may run in many processes at once. */
export function createLaterReadings(deps: ReadDeps): (lanes: Lanes) => Promise<void> {
  const { clock, database } = deps
  let plannedAtMs = -Infinity
  return async (lanes) => {
    const nowMs = clock.now()
    if (Math.abs(nowMs - plannedAtMs) >= PLAN_EVERY_MS) {
      await planAccounts(deps)
      plannedAtMs = nowMs
    }
    await workAtAccounts<Reading>(deps, lanes, {
      list: (list) => claimReadings(database, list),
      limit: STEPS_AT_ONCE,
      async work(reading) {
        const end = await advanced(deps, reading, nowMs)
        await database.transact((trx) => advanceReading(trx, reading, end))
      },
      factsOf: ({ accountId: account }) => ({ account }),
      failure: 'charges could not be read again',
    })
  }
}

async function planAccounts({ acquirerOf, database, log }: ReadDeps): Promise<void> {
  for (const account of await unplannedAccounts(database.reader)) {
    let acquirer: Acquirer
    try {
      acquirer = await acquirerOf(account)
    } catch (error) {
      log.error({ account, error: nameOf(error) }, 'the charges of an account are not read again')
      continue
    }
    const steps = acquirer.find === undefined ? [NOTICE_STEP] : READING_STEPS
    await database.transact((trx) => planReading(trx, account, steps))
  }
}

async function advanced(deps: ReadDeps, reading: Reading, nowMs: number): Promise<ReadingEnd> {
  const { database } = deps
  const { accountId, stepDays } = reading
  const period = periodOf(stepDays, nowMs)
  if (stepDays === NOTICE_STEP) return await checkReported(deps, reading, nowMs)
  const waiting = await countToRead(database.reader, reading, period)
  if (waiting === 0) return { nextAtMs: nowMs + IDLE_MS }
  // At this rate, all are read within a day, the oldest first.
  const perMinute = Math.ceil(waiting / MINUTES_A_DAY)
  const limit = Math.min(CHARGES_AT_ONCE, perMinute)
  const charges = await chargesToRead(database.reader, reading, { period, limit })
  const covered = await coveredDaysOf(database.reader, accountId, nowMs)
  const acquirer = await deps.acquirerOf(accountId)
  const ends = await Promise.all(
    charges.map(async (charge) =>
      isCovered(charge, covered, stepDays) ? READ : await readOne(deps, charge.key, acquirer),
    ),
  )
  const read = ends.findIndex(({ kind }) => kind !== 'read')
  if (read !== 0) {
    const readTo = charges.at(read < 0 ? -1 : read - 1)
    const pauseMs = Math.ceil((MINUTE_MS * charges.length) / perMinute)
    return { nextAtMs: nowMs + pauseMs, readTo, tries: 0 }
  }
  return await notRead(deps, reading, { charge: charges[0], end: ends[0] ?? READ, nowMs })
}

/** A failure to store one answer doesn't affect the others. */
async function readOne(deps: ReadDeps, key: ChargeKey, acquirer: Acquirer): Promise<ReadEnd> {
  try {
    return await readApproved(deps, { key, acquirer, urgency: 'later' })
  } catch (error) {
    deps.log.error({ ...key, error: nameOf(error) }, 'a charge could not be read again')
    return { kind: 'again', pauseMs: 0, wasNotRequested: false }
  }
}

const READ: ReadEnd = { kind: 'read' }

interface NotRead {
  readonly charge: ChargeToRead | undefined
  readonly end: ReadEnd
  readonly nowMs: number
}

async function notRead(
  { database }: ReadDeps,
  { tries }: Reading,
  { charge, end, nowMs }: NotRead,
): Promise<ReadingEnd> {
  const pauseMs = Math.min(end.kind === 'again' ? end.pauseMs : 0, READING_PAUSE_MAX_MS)
  // Other work needs the account's calls: nothing was tried.
  if (end.kind === 'again' && end.wasNotRequested)
    return { nextAtMs: nowMs + Math.max(pauseMs, SECOND_MS) }
  const nextAtMs = nowMs + Math.max(pauseMs, REREAD_MS)
  if (charge === undefined || tries + 1 < TRIES_MAX) return { nextAtMs, tries: tries + 1 }
  await database.transact((trx) => planLaterRead(trx, charge.key, nextAtMs))
  return { nextAtMs, readTo: charge, tries: 0 }
}

/** Records the charges without a notice, for acquirers that report only by notices. */
async function checkReported(
  { database }: ReadDeps,
  reading: Reading,
  nowMs: number,
): Promise<ReadingEnd> {
  const period = periodOf(NOTICE_STEP, nowMs)
  const charges = await chargesToRead(database.reader, reading, { period, limit: NOTICES_AT_ONCE })
  if (charges.length === 0) return { nextAtMs: nowMs + IDLE_MS }
  await database.transact((trx) => recordUnreported(trx, charges))
  return { nextAtMs: nowMs, readTo: charges.at(-1) }
}
