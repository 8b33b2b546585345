import { randomInt } from 'node:crypto'
import {
  type CardCheck,
  type CardCheckAnswer,
  type CheckRefusal,
  type CheckedCard,
  type Decline,
} from '@cofre/contracts'
import { beginDeadline } from '@cofre/work'
import { auditEntry } from '../audit/audit-entry.js'
import { recordEvent } from '../audit/audit-service.js'
import { appendEntry } from '../audit/audit-sql.js'
import { binRefusal, brandRefusal, summarizeCard } from '../authorization/authorization.js'
import { type SpentToken, restoreToken } from '../authorization/authorization-begin-sql.js'
import type { ChargingDeps } from '../authorization/charging-deps.js'
import { type FoundCard, findDepositedCard } from '../authorization/order-card-service.js'
import {
  countDecline,
  findRetryRefusal,
  fingerprintOfCard,
} from '../card-testing/card-testing-service.js'
import { digestOf, sessionIdOf } from '../direct-token/direct-token.js'
import { keyedDigest } from '../keys/keyed-digest.js'
import { digestPayer, prepareToSave, saveCard } from '../saved-card/saved-card-service.js'
import { findStoredCard } from '../saved-card/stored-card-service.js'
import { CHECK_RUNS_MS, type CheckSubjects, type StoredCheck, checkEvent } from './card-check.js'
import {
  endCheck,
  findCheck,
  insertCheck,
  isLimitReached,
  recordCheckedCard,
  removeCheck,
} from './card-check-sql.js'
import { type CheckResult, type Checker, checkAtAccounts, checkersFor } from './checker-service.js'

/** Digits of a code: fewer than a transaction's of this century, so that none is the same. */
const CODE_MAX = 10 ** 12

/** In the audit log, in place of a token. */
const NO_TOKEN = 'no token'

type Refused = Extract<CardCheckAnswer, { kind: 'refused' }>

/**
 * Checks a token's card, once. The check and the spent token are committed before an acquirer is
 * asked. The card is only in memory then: an outcome that is lost stays unknown, and saves nothing.
 */
export async function checkCard(deps: ChargingDeps, asked: CardCheck): Promise<CardCheckAnswer> {
  const answer = await answerTo(deps, asked)
  const { environment, merchantId, token } = asked
  const isAnswered = answer.kind === 'answered'
  deps.observer?.cardChecked({
    environment,
    outcome: isAnswered ? answer.outcome : answer.reason,
  })
  if (isAnswered) return answer
  // A text that is no token may be anything, even a card number: its digest would reveal it.
  const tokenDigest = sessionIdOf(token) === undefined ? NO_TOKEN : digestOf(token)
  await recordEvent(deps, checkEvent({ environment, merchantId, tokenDigest }, answer.reason))
  return environment === 'sandbox' ? answer : refused(answer.reason)
}

async function answerTo(deps: ChargingDeps, asked: CardCheck): Promise<CardCheckAnswer> {
  const { environment, merchantId, token } = asked
  const key = { environment, tokenDigest: digestOf(token) }
  const subjects = await subjectsOf(deps, asked)
  const earlier = await findCheck(deps.database.reader, key)
  if (earlier !== undefined) return await repeatAnswer(deps, earlier, { merchantId, ...subjects })
  const found = await findDepositedCard(deps, merchantId, token)
  if (found.kind === 'refused') return { ...found, reason: 'token_invalid' }
  const { number } = found.card.reveal()
  if (brandRefusal(number, undefined) !== undefined) return refused('brand_not_accepted')
  if (binRefusal(number, asked.refusedBins) !== undefined) return refused('bin_refused')
  const { nowMs, check } = newCheck(deps, asked, { found, subjects })
  const checkers = await checkersFor(deps, check)
  if (typeof checkers === 'string') return refused(checkers)
  if (await isLimitReached(deps.database.reader, subjects, nowMs)) return refused('too_many_checks')
  const { brand } = check.card
  const decline = await findRetryRefusal(deps, { environment, merchantId, number, brand })
  const begun = { check, found, asked }
  return decline === undefined
    ? await checkOnce(deps, begun, checkers)
    : await declineLocally(deps, begun, decline)
}

function newCheck(
  { clock }: ChargingDeps,
  { environment, merchantId, token }: CardCheck,
  { found, subjects }: { readonly found: FoundCard; readonly subjects: CheckSubjects },
) {
  const nowMs = clock.now()
  const check: StoredCheck = {
    environment,
    tokenDigest: digestOf(token),
    ...subjects,
    code: randomInt(1, CODE_MAX),
    merchantId,
    outcome: 'asked',
    card: summarizeCard(found.card.reveal(), { takesLongBin: true }),
    decline: undefined,
    savedCardCode: undefined,
    createdAtMs: nowMs,
  }
  return { nowMs, check }
}

async function subjectsOf(
  deps: ChargingDeps,
  { environment, merchantId, payer, countedAddress }: CardCheck,
): Promise<CheckSubjects> {
  const key = await deps.dataKeys.of('fingerprints')
  const digest = (...parts: readonly string[]) =>
    keyedDigest(key, ['check', environment, merchantId, ...parts])
  return {
    payer: await digestPayer(deps, { environment, merchantId, payerEmail: payer.email }),
    document: digest('document', payer.document),
    address: digest('address', countedAddress),
  }
}

/** The answer to a check that was made before. Only its own store and payer get it. */
async function repeatAnswer(
  deps: ChargingDeps,
  earlier: StoredCheck,
  { merchantId, payer }: Pick<StoredCheck, 'merchantId' | 'payer'>,
): Promise<CardCheckAnswer> {
  if (earlier.merchantId !== merchantId || earlier.payer !== payer) return USED
  if (earlier.outcome === 'asked') {
    if (deps.clock.now() < earlier.createdAtMs + CHECK_RUNS_MS) return refused('in_progress')
    return await endAbandoned(deps, earlier)
  }
  const { savedCardCode: code } = earlier
  if (code === undefined) return answered(earlier, earlier.outcome)
  const savedCard = await findStoredCard(deps, { ...earlier, code })
  return savedCard === undefined ? USED : { ...answered(earlier, earlier.outcome), savedCard }
}

/** Ends a check whose process has died: from now on, it saves nothing. */
async function endAbandoned(deps: ChargingDeps, check: StoredCheck): Promise<CardCheckAnswer> {
  const unknown = { outcome: 'unknown', decline: undefined } as const
  const isOurs = await deps.database.transact(async (trx) => {
    const isOpen = await endCheck(trx, check, unknown)
    if (isOpen) await appendEntry(trx, auditEntry(checkEvent(check, 'unknown'), deps.clock.now()))
    return isOpen
  })
  if (isOurs) return answered(check, 'unknown')
  return await answerConcurrent(deps, check)
}

const USED: Refused = { kind: 'refused', reason: 'token_invalid', tokenFault: 'used' }

interface BegunCheck {
  readonly check: StoredCheck
  readonly found: FoundCard
  readonly asked: CardCheck
}

async function checkOnce(
  deps: ChargingDeps,
  begun: BegunCheck,
  checkers: readonly Checker[],
): Promise<CardCheckAnswer> {
  const { check, found, asked } = begun
  const inserted = await deps.database.transact((trx) => insertCheck(trx, check))
  if (inserted !== 'stored') return await answerUnstored(deps, check, inserted)
  const { deadline = beginDeadline() } = asked
  const result = await checkAtAccounts(deps, checkers, {
    check,
    card: found.card,
    payer: asked.payer,
    deadline,
  })
  return typeof result === 'string'
    ? await withdraw(deps, begun, result)
    : await store(deps, begun, result)
}

/** The answer to a check that was not stored: one too many, or its token was spent meanwhile. */
async function answerUnstored(
  deps: ChargingDeps,
  check: StoredCheck,
  reason: 'spent' | 'too_many_checks',
): Promise<CardCheckAnswer> {
  return reason === 'spent' ? await answerConcurrent(deps, check) : refused(reason)
}

/** The answer to a request whose token another one has spent meanwhile. */
async function answerConcurrent(deps: ChargingDeps, check: StoredCheck): Promise<CardCheckAnswer> {
  const other = await findCheck(deps.database.reader, check)
  return other === undefined ? USED : await repeatAnswer(deps, other, check)
}

/** Removes a check that no acquirer has made: its token may be used again. */
async function withdraw(
  { database }: ChargingDeps,
  { check, found }: BegunCheck,
  reason: CheckRefusal,
): Promise<CardCheckAnswer> {
  await database.transact(async (trx) => {
    if (await removeCheck(trx, check)) await restoreToken(trx, tokenOf(found))
  })
  return refused(reason)
}

function tokenOf({ token }: FoundCard): SpentToken {
  if (token === undefined) throw new Error('a check spends a token')
  return token
}

/** Declines a card that the brands forbid to try, without asking an acquirer. */
async function declineLocally(
  deps: ChargingDeps,
  { check }: BegunCheck,
  decline: Decline,
): Promise<CardCheckAnswer> {
  const declined = { ...check, outcome: 'declined', decline } as const
  const entry = auditEntry(checkEvent(check, 'declined'), check.createdAtMs)
  const inserted = await deps.database.transact(async (trx) => {
    const result = await insertCheck(trx, declined)
    if (result === 'stored') await appendEntry(trx, entry)
    return result
  })
  if (inserted !== 'stored') return await answerUnstored(deps, check, inserted)
  deps.observer?.retryRefused({ environment: check.environment, brand: check.card.brand })
  return answered(declined, 'declined')
}

/** Stores the outcome, and saves an approved card. */
async function store(
  deps: ChargingDeps,
  { check, found, asked }: BegunCheck,
  result: CheckResult,
): Promise<CardCheckAnswer> {
  const { outcome } = result
  const decline = outcome === 'declined' ? result.decline : undefined
  const { environment, merchantId, payer, code } = check
  const { number } = found.card.reveal()
  const toSave =
    outcome === 'approved' && asked.saveCard
      ? await prepareToSave(deps, {
          environment,
          merchantId,
          payer,
          card: found.card,
          ids: result.ids,
          active: true,
        })
      : undefined
  const fingerprint = await fingerprintOfCard(deps, { environment, merchantId, number })
  const nowMs = deps.clock.now()
  const times = { atMs: check.createdAtMs, heardAtMs: nowMs }
  const count =
    decline && countDecline(fingerprint, { transactionCode: String(code), decline, ...times })
  let savedCode: string | undefined
  const isOurs = await deps.database.transact(async (trx) => {
    if (!(await endCheck(trx, check, { outcome, decline }))) return false
    await appendEntry(trx, auditEntry(checkEvent(check, outcome), nowMs))
    await count?.(trx)
    if (toSave === undefined) return true
    const { card } = await saveCard(trx, toSave)
    await recordCheckedCard(trx, check, card.code)
    const saved = { action: 'saved_card.saved', record: card.code, outcome: 'saved' } as const
    await appendEntry(trx, auditEntry({ ...checkEvent(check, outcome), ...saved }, nowMs))
    savedCode = card.code
    return true
  })
  // Another request has given the check up meanwhile: it saves nothing.
  if (!isOurs) return answered(check, 'unknown')
  const done = { ...check, outcome, decline }
  if (savedCode === undefined) return answered(done, outcome)
  const savedCard = await findStoredCard(deps, { environment, merchantId, code: savedCode })
  return { ...answered(done, outcome), ...(savedCard !== undefined && { savedCard }) }
}

function answered(
  { code: checkCode, card, decline, createdAtMs: atMs }: StoredCheck,
  outcome: CheckedCard['outcome'],
): CheckedCard {
  return { kind: 'answered', outcome, checkCode, card, atMs, ...(decline && { decline }) }
}

function refused(reason: CheckRefusal): Refused {
  return { kind: 'refused', reason }
}
