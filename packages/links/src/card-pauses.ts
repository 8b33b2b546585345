import type { Clock, Log, TransactionRequest } from '@cofre/contracts'
import { NOTHING_DUE, doEach } from '@cofre/work'
import {
  ALL_LINKS,
  CARD_PAUSE_MS,
  type CardPause,
  type CardCapacity,
  type NotifiedPause,
  approvalsFor,
  countsSinceMs,
  declinesMinOf,
  knownBeforeMs,
} from './model/card-pause.js'
import type { PaymentLink } from './model/payment-link.js'
import type { PauseReports } from './model/link-rules.js'
import type { CardCounts, CardPauseStore, PaymentLinkStore } from './model/stores.js'

type Payer = TransactionRequest['payer']

/** Admits cards at links, unless cards are being tested. */
export interface CardGate {
  readonly capacitiesOf: (
    link: PaymentLink,
    payer: Payer,
  ) => Promise<readonly CardCapacity[] | 'paused'>
  readonly isKnown: (link: PaymentLink, asked: TestedPayer) => Promise<boolean>
}

interface TestedPayer {
  readonly payer: Payer
  readonly testedFromMs: number
}

export interface CreateCardGateDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly log: Log
  readonly cardPauses: CardPauseStore
  readonly cardCounts: CardCounts
  readonly reports: PauseReports
}

export function createCardGate(deps: CreateCardGateDeps): CardGate {
  return {
    capacitiesOf: (link, payer) => cardCapacitiesOf(deps, link, payer),
    isKnown: (link, asked) => isKnownPayer(deps, link, asked),
  }
}

/**
 * The places that a payer's card may occupy at a link now, or `paused` while cards of the link or
 * store are being tested. A payer who paid the store before that needs none.
 */
async function cardCapacitiesOf(
  deps: CreateCardGateDeps,
  link: PaymentLink,
  payer: Payer,
): Promise<readonly CardCapacity[] | 'paused'> {
  const { id: linkId, storeId } = link
  const known = await deps.cardPauses.ofLink({ storeId, linkId })
  const nowMs = deps.clock.now()
  const places = [linkId, ALL_LINKS].map((id): CardCapacity => {
    const subject = { storeId, linkId: id }
    const last = known.find((pause) => pause.linkId === id)
    const sinceMs = countsSinceMs(last, nowMs)
    return { ...subject, sinceMs, declinesMin: declinesMinOf(subject, link) }
  })
  const pause =
    known.find((each) => isRunning(each, nowMs)) ?? (await beginIfTested(deps, link, places))
  if (pause === undefined) return places
  if (await isKnownPayer(deps, link, { payer, testedFromMs: pause.beganAtMs })) return []
  deps.reports.limitReached?.(pause.linkId === ALL_LINKS ? 'links' : 'link')
  return 'paused'
}

/** True if a payer paid the store before cards were tested. */
async function isKnownPayer(
  { cardCounts }: CreateCardGateDeps,
  { storeId }: PaymentLink,
  { payer, testedFromMs }: TestedPayer,
): Promise<boolean> {
  const { document, email } = payer
  const paidBeforeMs = knownBeforeMs(testedFromMs)
  return await cardCounts.hasPaid({ storeId, document: document.number, email, paidBeforeMs })
}

function isRunning({ endsAtMs }: CardPause, nowMs: number): boolean {
  return nowMs < endsAtMs && endsAtMs <= nowMs + CARD_PAUSE_MS
}

/** Begins a pause if too many cards were declined. */
async function beginIfTested(
  deps: CreateCardGateDeps,
  link: PaymentLink,
  counted: readonly CardCapacity[],
): Promise<CardPause | undefined> {
  const { cardCounts } = deps
  for (const places of counted) {
    const declines = await cardCounts.countDeclines(places)
    if (declines < places.declinesMin) continue
    if (await cardCounts.hasApprovals(places, approvalsFor(declines))) continue
    return await begin(deps, link, { linkId: places.linkId, declines })
  }
  return undefined
}

async function begin(
  { cardPauses, clock, log, machineClock, reports: { environment } }: CreateCardGateDeps,
  { storeId, reference }: PaymentLink,
  { linkId, declines }: Pick<CardPause, 'linkId' | 'declines'>,
): Promise<CardPause> {
  const nowMs = clock.now()
  const endsAtMs = nowMs + CARD_PAUSE_MS
  const pause = { storeId, linkId, declines, beganAtMs: nowMs, endsAtMs }
  if (await cardPauses.begin(pause, machineClock.now())) {
    const link = linkId === ALL_LINKS ? 'all links' : reference
    const fields = { environment, store: storeId, link, declines }
    log.warn(fields, 'card payments were paused at payment links: too many cards were declined')
  }
  return pause
}

const PAUSES_SHOWN = 20

export interface RunningPausesDeps {
  readonly clock: Clock
  readonly paymentLinks: PaymentLinkStore
  readonly cardPauses: CardPauseStore
}

/** The running pauses of a store, newest first. */
export async function runningPauses(
  deps: RunningPausesDeps,
  storeId: string,
): Promise<readonly NotifiedPause[]> {
  const nowMs = deps.clock.now()
  const pauses = await deps.cardPauses.ofStore(storeId)
  const running = pauses.filter((pause) => isRunning(pause, nowMs)).slice(0, PAUSES_SHOWN)
  return await Promise.all(running.map((pause) => withReference(deps, pause)))
}

async function withReference(
  { clock, paymentLinks }: RunningPausesDeps,
  pause: CardPause,
): Promise<NotifiedPause> {
  const { linkId } = pause
  const found = linkId === ALL_LINKS ? undefined : await paymentLinks.find(linkId, clock.now())
  return { ...pause, reference: found?.link.reference }
}

const NOTIFIED_AT_ONCE = 20

export interface CardPauseDeps extends RunningPausesDeps {
  readonly machineClock: Clock
  readonly log: Log
  readonly reports: PauseReports
}

/**
 * Notifies each store once of each pause; a failed notification is retried.
 * @throws RoundFailedError when no store could be notified
 */
export async function notifyOfPauses(deps: CardPauseDeps): Promise<unknown> {
  const { cardPauses, log, machineClock, reports } = deps
  const { notify } = reports
  if (notify === undefined) return NOTHING_DUE
  return await doEach(await cardPauses.claimUnnotified(machineClock.now(), NOTIFIED_AT_ONCE), {
    async work(pause) {
      await notify(await withReference(deps, pause), await ownersOf(deps, pause))
      await cardPauses.markNotified(pause)
    },
    name: ({ storeId }) => `the pause of cards of store ${storeId}`,
    logFailure({ storeId: store }, error) {
      log.warn(
        { store, error },
        'a store could not be notified that cards are paused at its payment links',
      )
    },
  })
}

async function ownersOf(
  { reports }: CardPauseDeps,
  { storeId }: CardPause,
): Promise<readonly string[]> {
  const members = await reports.staffOf(storeId)
  const owners = members.filter(
    // The current e-mail of a member with a former e-mail may belong to another person.
    ({ enabled, formerEmail, role }) => role === 'owner' && enabled && formerEmail === undefined,
  )
  return owners.map(({ email }) => email)
}
