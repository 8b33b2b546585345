// Work on authorized charges that no gateway requests.
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import type { Lanes } from '@cofre/work'
import { workAtAccounts } from '../authorization/account-lanes.js'
import { type ChargeKey, isAuthorizedOnly, isLeased } from '../authorization/card-charge.js'
import { planLaterRead } from '../notice/planned-read-sql.js'
import { lockCharge } from '../refund/turn-sql.js'
import { isOpen, releasedAt } from './card-capture.js'
import { endAuthorization } from './capture-end-sql.js'
import { type CaptureDeps, pursueCapture } from './capture-service.js'
import { type DueCapture, dueCaptures, findCapture, postponeCapture } from './capture-sql.js'
import { type DueRelease, checkReleaseAt, dueReleases } from './release-sql.js'

const AT_ONCE = 20
/** The pause after work that failed here, not at its acquirer. */
const FAILED_PAUSE_MS = 5 * MINUTE_MS
/** The pause after another process worked on the charge. */
const LEASED_AGAIN_MS = 5 * SECOND_MS
/** How long a notice of the release may take. */
const NOTICE_MS = 2 * DAY_MS

/** Requests what is due, in any number of processes; none blocks another. */
export async function pursueCaptures(deps: CaptureDeps, lanes: Lanes): Promise<void> {
  const { clock, database } = deps
  const factsOf = ({ key }: { readonly key: ChargeKey }) => ({ ...key })
  await Promise.all([
    workAtAccounts<DueCapture>(deps, lanes, {
      list: (list) => dueCaptures(database.reader, list),
      limit: AT_ONCE,
      work: ({ key }) => pursueCapture(deps, key),
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
  const { clock, database, log } = deps
  const { find } = await deps.acquirerOf(accountId)
  await database.transact(async (trx) => {
    const nowMs = clock.now()
    const charge = await lockCharge(trx, key)
    const endsAtMs = charge?.captureEndsAtMs
    if (charge === undefined || endsAtMs === undefined || !isAuthorizedOnly(charge))
      return await checkReleaseAt(trx, key, null)
    if (find !== undefined) {
      await planLaterRead(trx, key, nowMs)
      return await checkReleaseAt(trx, key, null)
    }
    if (nowMs < endsAtMs + NOTICE_MS) return await checkReleaseAt(trx, key, endsAtMs + NOTICE_MS)
    if (isLeased(charge.leaseUntilMs, nowMs))
      return await checkReleaseAt(trx, key, nowMs + LEASED_AGAIN_MS)
    const capture = await findCapture(trx, key)
    if (isOpen(capture) && capture.operation === 'capture') {
      log.error({ ...key, account: accountId }, UNDECIDED)
      return await checkReleaseAt(trx, key, nowMs + DAY_MS)
    }
    const end = releasedAt(charge, nowMs)
    await endAuthorization(trx, key, { end, atMs: endsAtMs, nowMs })
  })
}

const UNDECIDED =
  'the time for a capture is over, and its acquirer has not reported its end: look it up there'
