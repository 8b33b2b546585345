import type { Clock, Log } from '@cofre/contracts'
import { isUnavailable } from '@cofre/sql'
import { type Lanes, createLanes, doEach } from '@cofre/work'
import type { RoomPayments } from '@cofre/gateway/room'
import { type LinkTry, hasEnded, tryStateOf, type FoundTry } from './model/link-try.js'
import type { PayResult } from './model/payment-page.js'
import type { LinkTryStore, PaymentLinkStore } from './model/stores.js'

/** See {@link endOpenTry}. */
export type EndOpenTry = (held: FoundTry) => Promise<PayResult | undefined>

export interface LinkTryDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly log: Log
  readonly payments: RoomPayments
  readonly paymentLinks: PaymentLinkStore
  readonly linkTries: LinkTryStore
}

/**
 * Ends the open try of a link for one payment, so that another may be opened: a charge that waits
 * for its payer is cancelled, at its bank too. Otherwise returns what prevents that.
 */
export async function endOpenTry(
  deps: LinkTryDeps,
  held: FoundTry,
): Promise<PayResult | undefined> {
  const { linkTry, transaction } = held
  const state = tryStateOf(held)
  switch (state) {
    case 'reserved':
    case 'paid':
      return { kind: 'not-payable', state }
    case 'asking':
      // The process that opened the try died before it requested anything.
      if (transaction === undefined && deps.machineClock.now() >= linkTry.pollAtMs) break
      return { kind: 'busy' }
    case 'authenticating':
    case 'under-review':
      return { kind: 'busy' }
    case 'issuing':
    case 'waiting': {
      const cancelled = transaction && (await deps.payments.cancelWaiting(transaction))
      if (cancelled === 'not-answered') return { kind: 'not-cancelled' }
      if (cancelled === 'paid-meanwhile') return { kind: 'not-payable', state: 'paid' }
      break
    }
    case 'declined':
    case 'released':
    case 'cancelled':
    case 'expired':
    case 'not-asked':
      break
  }
  await deps.linkTries.close(linkTry.id)
  return undefined
}

const POLLS_AT_ONCE = 20

/**
 * Ends tries that can no longer be paid, and cancels charges that wait for payers of revoked links;
 * retried until the bank has answered.
 * @throws RoundFailedError when no try could be processed; the database's error when it is down
 */
export async function pollLinkTries(
  deps: LinkTryDeps,
  lanes: Lanes = createLanes(),
): Promise<unknown> {
  const machineNowMs = deps.machineClock.now()
  const claim = { machineNowMs, limit: POLLS_AT_ONCE, busy: lanes.busy() }
  return await doEach(await deps.linkTries.claim(claim), {
    work: (linkTry) => lanes.run(linkTry.lane, () => pollTry(deps, linkTry)),
    name: ({ reference }) => `the try at a link ${reference}`,
    logFailure({ reference }, error) {
      // The database is down: end the round.
      if (isUnavailable(error)) throw error
      deps.log.error({ try: reference, error }, 'a try at a link could not be processed')
    },
  })
}

async function pollTry(deps: LinkTryDeps, { id, linkId }: LinkTry): Promise<void> {
  const { clock, linkTries, paymentLinks, payments } = deps
  const [found, of] = await Promise.all([
    linkTries.find(linkId, id),
    paymentLinks.find(linkId, clock.now()),
  ])
  if (found === undefined) return
  const { transaction } = found
  const isRevoked = of?.link.revokedAtMs !== undefined
  if (isRevoked && transaction !== undefined && !hasEnded(found))
    await payments.cancelWaiting(transaction)
  await linkTries.close(id)
}
