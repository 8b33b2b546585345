// Work on authorized charges that no gateway requests.
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import type { Lanes } from '@cofre/work'
import { workAtAccounts } from '../authorization/account-lanes.js'
import { type ChargeKey, isAuthorizedOnly, isLeased } from '../authorization/card-charge.js'
import type { OrderedCharge } from '../authorization/card-charge-sql.js'
import type { VaultConnection } from '../database/vault-database.js'
import { planLaterRead } from '../authorization/planned-read-sql.js'
import { lockCharge } from '../refund/turn-sql.js'
import { isOpen, releasedAt } from './card-capture.js'
import { endAuthorization } from './capture-end-sql.js'
import { type CaptureDeps, attemptCapture } from './capture-service.js'
import { type DueCapture, dueCaptures, findCapture, postponeCapture } from './capture-sql.js'
import { type DueRelease, checkReleaseAt, dueReleases } from './release-sql.js'

const AT_ONCE = 20
/** The pause after work that failed here, not at its acquirer. */
const FAILED_PAUSE_MS = 5 * MINUTE_MS
/** The pause after another process worked on the charge. */
const LEASED_AGAIN_MS = 5 * SECOND_MS
/** How long a notice of the release may take. */
const NOTICE_MS = 2 * DAY_MS

const factsOf = ({ key }: { readonly key: ChargeKey }) => ({ ...key })

/** Requests what is due, in any number of processes; none blocks another. */
export async function processCaptures(deps: CaptureDeps, lanes: Lanes): Promise<void> {
  const { clock, database } = deps
  await Promise.all([
    workAtAccounts<DueCapture>(deps, lanes, {
      list: (list) => dueCaptures(database.reader, list),
      limit: AT_ONCE,
      work: ({ key }) => attemptCapture(deps, key),
      factsOf,
      failure: 'a capture could not be asked for',
      putOff: ({ key }) =>
        database.transact((trx) => postponeCapture(trx, key, clock.now() + FAILED_PAUSE_MS)),
    }),
    workAtAccounts<DueRelease>(deps, lanes, {
      list: (list) => dueReleases(database.reader, list),
      limit: AT_ONCE,
      work: (release) => checkRelease(deps, release),
      factsOf,
      failure: 'the end of an authorization could not be checked',
      putOff: ({ key }) =>
        database.transact((trx) => checkReleaseAt(trx, key, clock.now() + FAILED_PAUSE_MS)),
    }),
  ])
}

/**
 * Has an authorization whose time is over looked at once. If its acquirer can't be read, it is
 * released unless a notice comes within two days, or a capture is open.
 */
async function checkRelease(deps: CaptureDeps, { key, accountId }: DueRelease): Promise<void> {
  const { clock, database } = deps
  const acquirer = await deps.acquirerOf(accountId)
  await database.transact(async (trx) => {
    const nowMs = clock.now()
    const charge = await lockCharge(trx, key)
    if (charge === undefined || !isAuthorizedOnly(charge)) await checkReleaseAt(trx, key, null)
    else if (acquirer.find !== undefined) {
      await planLaterRead(trx, key, nowMs)
      await checkReleaseAt(trx, key, null)
    } else {
      const againAtMs = await releaseUnreported(deps, trx, charge)
      if (againAtMs !== undefined) await checkReleaseAt(trx, key, againAtMs)
    }
  })
}

/** Releases a charge without a notice of its end; returns the time of the next check, if not. */
async function releaseUnreported(
  { clock, log }: CaptureDeps,
  trx: VaultConnection,
  charge: OrderedCharge,
): Promise<number | undefined> {
  const nowMs = clock.now()
  const { accountId: account, key, captureEndsAtMs: endsAtMs = nowMs, leaseUntilMs } = charge
  if (nowMs < endsAtMs + NOTICE_MS) return endsAtMs + NOTICE_MS
  if (isLeased(leaseUntilMs, nowMs)) return nowMs + LEASED_AGAIN_MS
  const capture = await findCapture(trx, key)
  if (isOpen(capture) && capture.operation === 'capture') {
    log.error({ ...factsOf({ key }), account }, UNDECIDED)
    return nowMs + DAY_MS
  }
  const end = releasedAt(charge, nowMs)
  await endAuthorization(trx, key, { end, atMs: endsAtMs, nowMs })
  return undefined
}

const UNDECIDED =
  'the time for a capture is over, and its acquirer has not reported its end: look it up there, then run cofre transactions resolve'
