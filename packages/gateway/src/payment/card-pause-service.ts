import type { TransactionRequest } from '@cofre/contracts'
import {
  ALL_LINKS,
  CARD_PAUSE_MS,
  type CardPause,
  type PauseSubject,
  type ToldPause,
  approvalsFor,
  countsSinceMs,
  declinesMinOf,
  knownBeforeMs,
} from '../model/payment-link/card-pause.js'
import type { PaymentLink } from '../model/payment-link/payment-link.js'
import type { GatewayDeps } from './gateway-deps.js'

/**
 * Whether a payer's card may not pay a link now: cards of the link, or of all links of its store,
 * are being tested. A payer who paid the store before that may.
 */
export async function isCardPaused(
  deps: GatewayDeps,
  link: PaymentLink,
  { document, email }: TransactionRequest['payer'],
): Promise<boolean> {
  const pause = await pauseOf(deps, link)
  if (pause === undefined) return false
  const { storeId } = link
  const paidBeforeMs = knownBeforeMs(pause)
  const payer = { storeId, document: document.number, email, paidBeforeMs }
  if (await deps.cardPauses.hasPaid(payer)) return false
  deps.declineLimitReached?.(pause.linkId === ALL_LINKS ? 'links' : 'link')
  return true
}

/** The pause that goes on at a link, begun with this look if so many cards were declined. */
async function pauseOf(deps: GatewayDeps, link: PaymentLink): Promise<CardPause | undefined> {
  const { id: linkId, storeId } = link
  const known = await deps.cardPauses.ofLink({ storeId, linkId })
  const nowMs = deps.clock.now()
  const running = known.find((pause) => isRunning(pause, nowMs))
  if (running !== undefined) return running
  for (const subject of [
    { storeId, linkId },
    { storeId, linkId: ALL_LINKS },
  ]) {
    const last = known.find((pause) => pause.linkId === subject.linkId)
    const begun = await beginIfTested(deps, link, { subject, last, nowMs })
    if (begun !== undefined) return begun
  }
  return undefined
}

function isRunning({ endsAtMs }: CardPause, nowMs: number): boolean {
  return nowMs < endsAtMs && endsAtMs <= nowMs + CARD_PAUSE_MS
}

interface Judged {
  readonly subject: PauseSubject
  readonly last: CardPause | undefined
  readonly nowMs: number
}

async function beginIfTested(
  { cardPauses, environment, log, machineClock }: GatewayDeps,
  link: PaymentLink,
  { subject, last, nowMs }: Judged,
): Promise<CardPause | undefined> {
  const counted = { ...subject, sinceMs: countsSinceMs(last, nowMs) }
  const declines = await cardPauses.countDeclines(counted)
  if (declines < declinesMinOf(subject, link)) return undefined
  if (await cardPauses.hasApprovals(counted, approvalsFor(declines))) return undefined
  const pause = { ...subject, declines, beganAtMs: nowMs, endsAtMs: nowMs + CARD_PAUSE_MS }
  if (await cardPauses.begin(pause, machineClock.now())) {
    const of = subject.linkId === ALL_LINKS ? 'all links' : link.reference
    const fields = { environment, store: link.storeId, link: of, declines }
    log.warn(fields, 'card payments were paused at payment links: too many cards were declined')
  }
  return pause
}

const PAUSES_SHOWN = 20

/** The pauses of a store that go on, the newest first. */
export async function runningPauses(
  deps: GatewayDeps,
  storeId: string,
): Promise<readonly ToldPause[]> {
  const nowMs = deps.clock.now()
  const pauses = await deps.cardPauses.ofStore(storeId)
  const running = pauses.filter((pause) => isRunning(pause, nowMs)).slice(0, PAUSES_SHOWN)
  return await Promise.all(running.map((pause) => withReference(deps, pause)))
}

async function withReference(
  { clock, paymentLinks }: GatewayDeps,
  pause: CardPause,
): Promise<ToldPause> {
  const { linkId } = pause
  const found = linkId === ALL_LINKS ? undefined : await paymentLinks.find(linkId, clock.now())
  return { ...pause, reference: found?.link.reference }
}

const TOLD_AT_ONCE = 20

/** Tells stores of their pauses, each of one; repeated until it was told. */
export async function tellOfPauses(deps: GatewayDeps): Promise<void> {
  const { cardPauses, log, machineClock, tellOfPause } = deps
  if (tellOfPause === undefined) return
  for (const pause of await cardPauses.claimUntold(machineClock.now(), TOLD_AT_ONCE)) {
    try {
      await tellOfPause(await withReference(deps, pause), await ownersOf(deps, pause))
      await cardPauses.told(pause)
    } catch (error) {
      const fields = { error, store: pause.storeId }
      log.warn(fields, 'a store could not be told that cards are paused at its payment links')
    }
  }
}

async function ownersOf(
  { people }: GatewayDeps,
  { storeId }: CardPause,
): Promise<readonly string[]> {
  const members = await people.staff.members(storeId)
  const owners = members.filter(
    // Another person has proved the e-mail of one with a former e-mail.
    ({ enabled, formerEmail, role }) => role === 'owner' && enabled && formerEmail === undefined,
  )
  return owners.map(({ email }) => email)
}
