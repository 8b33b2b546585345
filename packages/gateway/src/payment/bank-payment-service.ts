import { ApiError, DAY_MS, SECOND_MS } from '@cofre/contracts'
import { answeredWithin, reasonOf } from '@cofre/jobs'
import { isUnavailable } from '@cofre/sql'
import { payerCode } from '../model/payment-rail/br-code.js'
import {
  type PixBank,
  type PixBankAnswer,
  type PixBankCharge,
  type PixChargeOrder,
  drawTxid,
} from '../model/payment-rail/pix-bank.js'
import {
  type NewBankCharge,
  type BankCharge,
  type ChargeName,
  endOf,
  nextLookAtMs,
} from '../model/payment-rail/bank-charge.js'
import {
  OPEN_INTENT_PATIENCE_MS,
  OPEN_INTENT_PAUSE_MAX_MS,
  type Transaction,
} from '../model/transaction/transaction.js'
import { pixBankOf } from './account-bank-service.js'
import type { GatewayDeps } from './gateway-deps.js'
import { recordCharge } from './charge-look-service.js'

const LIFETIME_MS = DAY_MS

/** How long a shop waits; and how much of it one more call needs. */
const SHOP_WAITS_MS = 15 * SECOND_MS
const CALL_NEEDS_MS = 6 * SECOND_MS

/** What a charge is asked for with. */
interface ChargeRequest {
  readonly charge: Pick<BankCharge, 'accountId' | 'name'>
  readonly payerName: string
}

/** What the bank of an account said to it. */
interface AskedCharge extends ChargeRequest {
  /** Undefined where the account cannot be used. */
  readonly bank: PixBank | undefined
  readonly answer: PixBankAnswer<PixBankCharge>
}

/** A charge at an account, to be committed before its bank is asked. */
export function planCharge(
  { machineClock, randomBelow }: GatewayDeps,
  accountId: string,
): NewBankCharge {
  return { accountId, name: drawTxid(randomBelow), askedAtMs: machineClock.now() }
}

/**
 * Asks the bank of an account for a charge, and commits that its payer can pay. The next account is
 * asked when the bank was certainly not reached, and the shop still waits.
 * @param request - `others` are the store's further accounts, in their order.
 * @throws ApiError service_unavailable when there is no charge that may be shown. The intent is
 * gone when that is proven; else a worker removes the charge and then the intent.
 */
export async function payByPix(
  deps: GatewayDeps,
  intent: Transaction,
  { others, ...request }: ChargeRequest & { readonly others: readonly string[] },
): Promise<Transaction> {
  const { bankCharges } = deps
  const patience = beginPatience(deps)
  const askFirst = (first: ChargeRequest) =>
    ask(deps, first, {
      patience,
      call: (bank) => openCharge(bank, orderOf(intent, first), patience),
    })
  let asked = await askFirst(request)
  for (const accountId of others) {
    if (asked.answer.kind !== 'unavailable' || !patience.hasTimeForCall()) break
    logFailure(deps, intent, asked)
    const charge = planCharge(deps, accountId)
    if (!(await bankCharges.routeOn(intent.code, charge))) throw new ApiError('service_unavailable')
    asked = await askFirst({ ...request, charge })
  }
  return await finishCharge(deps, intent, asked)
}

/**
 * Goes on with an earlier request, at the account that it had asked.
 * @throws ApiError service_unavailable, see {@link payByPix}
 */
export async function payAgainByPix(
  deps: GatewayDeps,
  intent: Transaction,
  request: ChargeRequest & { readonly charge: Pick<BankCharge, 'state'> },
): Promise<Transaction> {
  // Its bank is not asked for it any more.
  if (request.charge.state === 'removing') throw new ApiError('service_unavailable')
  const patience = beginPatience(deps)
  const call = async (bank: PixBank): Promise<PixBankAnswer<PixBankCharge>> => {
    const found = await bank.findCharge(request.charge.name, 'payer-waits')
    if (found.kind !== 'absent' || !patience.hasTimeForCall()) return found
    return await openCharge(bank, orderOf(intent, request), patience)
  }
  const asked = await ask(deps, request, { patience, call })
  // Whatever the bank says of this request: the earlier one may still be on its way.
  return await finishCharge(deps, intent, { ...asked, answer: doneOrUnknown(asked.answer) })
}

/** How long the shop of a request still waits. */
interface Patience {
  readonly leftMs: () => number
  readonly hasTimeForCall: () => boolean
}

function beginPatience({ machineClock }: GatewayDeps): Patience {
  const untilMs = machineClock.now() + SHOP_WAITS_MS
  const leftMs = (): number => untilMs - machineClock.now()
  return { leftMs, hasTimeForCall: () => leftMs() >= CALL_NEEDS_MS }
}

interface PatientCall {
  readonly patience: Patience
  readonly call: (bank: PixBank) => Promise<PixBankAnswer<PixBankCharge>>
}

/** Where the account cannot be used, its bank was not reached. */
async function ask(
  deps: GatewayDeps,
  request: ChargeRequest,
  { patience, call }: PatientCall,
): Promise<AskedCharge> {
  const { accountId } = request.charge
  const bank = await usableBank(deps, accountId)
  if (typeof bank !== 'string') {
    const waited = answeredWithin(patience.leftMs(), () => call(bank))
    const answer = await waited.catch((error: unknown) => unknownFor(reasonOf(error)))
    return { ...request, bank, answer }
  }
  return { ...request, bank: undefined, answer: unusable(bank) }
}

/** The bank of an account; why there is none, where its credentials do not open. */
async function usableBank(deps: GatewayDeps, accountId: string): Promise<PixBank | string> {
  try {
    return await pixBankOf(deps, accountId)
  } catch (error) {
    if (isUnavailable(error)) throw error
    return reasonOf(error)
  }
}

function unusable(why: string): PixBankAnswer<never> {
  return { kind: 'unavailable', detail: `an account cannot be used: ${why}` }
}

function orderOf(intent: Transaction, { charge, payerName }: ChargeRequest): PixChargeOrder {
  return {
    txid: charge.name,
    amountMinor: intent.amountMinor,
    lifetimeSeconds: LIFETIME_MS / SECOND_MS,
    payerName,
    payerDocument: intent.payerDocument,
    description: intent.description,
  }
}

/**
 * A lost answer is found under the same name. Refused or unavailable means that the bank has no
 * charge of that name.
 */
async function openCharge(
  bank: PixBank,
  order: PixChargeOrder,
  { hasTimeForCall }: Patience,
): Promise<PixBankAnswer<PixBankCharge>> {
  const answer = await bank.openCharge(order)
  if (answer.kind !== 'unknown' || !hasTimeForCall()) return answer
  return doneOrUnknown(await bank.findCharge(order.txid, 'payer-waits'))
}

function doneOrUnknown(answer: PixBankAnswer<PixBankCharge>): PixBankAnswer<PixBankCharge> {
  return answer.kind === 'done' ? answer : unknownFor(detailOf(answer))
}

function unknownFor(detail: string): PixBankAnswer<never> {
  return { kind: 'unknown', detail }
}

function detailOf(answer: PixBankAnswer<PixBankCharge>): string {
  return 'detail' in answer ? answer.detail : answer.kind
}

/** Commits what came of the last bank that was asked. @throws ApiError service_unavailable */
async function finishCharge(
  deps: GatewayDeps,
  intent: Transaction,
  asked: AskedCharge,
): Promise<Transaction> {
  const { answer, bank, charge } = asked
  if (answer.kind !== 'done' || bank === undefined) {
    if (answer.kind === 'unknown') await deps.bankCharges.doubt(intent.code, charge.name)
    else await deps.transactions.withdrawIntent(intent)
    logFailure(deps, intent, asked)
    throw new ApiError('service_unavailable')
  }
  const { accountId } = charge
  const shown = await showCharge(deps, intent, { ...charge, bank, charge: answer.value })
  if (typeof shown !== 'string') return shown
  deps.log.warn(
    { transaction: intent.code, account: accountId, error: shown },
    'a charge of a bank cannot be shown',
  )
  await removeUnseen(deps, intent, charge)
  throw new ApiError('service_unavailable')
}

function logFailure(
  { log }: GatewayDeps,
  { code }: Transaction,
  { answer, charge: { accountId } }: AskedCharge,
): void {
  const facts = { transaction: code, account: accountId, error: detailOf(answer) }
  if (answer.kind === 'unknown') log.warn(facts, 'a bank did not say whether it opened a charge')
  else log.warn(facts, 'a bank did not open a charge')
}

interface ShownCharge {
  readonly bank: PixBank
  readonly charge: PixBankCharge
  readonly accountId: string
  readonly name: ChargeName
}

/** The transaction that waits for its payer; else why nobody may see the charge. */
async function showCharge(
  { clock, machineClock, bankCharges, transactions }: GatewayDeps,
  intent: Transaction,
  { bank, charge, accountId, name }: ShownCharge,
): Promise<Transaction | string> {
  if (charge.state === 'removed') return 'it was removed'
  if (charge.amountMinor !== intent.amountMinor) return 'it has another amount'
  const shown = payerCode(charge, bank.receiver)
  if (shown.kind === 'contradiction') return shown.detail
  const openedAtMs = machineClock.now()
  const bankExpiresAtMs = charge.expiresAtMs ?? openedAtMs + LIFETIME_MS
  const times = { name, openedAtMs, bankExpiresAtMs }
  const opened = await bankCharges.open(
    intent,
    { ...times, firstLookAtMs: nextLookAtMs({ ...times, state: 'live' }, 0, openedAtMs) },
    { atMs: clock.now(), paymentDetails: { kind: 'pix', code: shown.code, accountId } },
  )
  if (opened !== undefined) return opened
  const current = await transactions.findByCode(intent.code)
  return current?.open === false ? current : 'it was given up meanwhile'
}

/** How long nobody asks again for the removal of a charge: it doubles, up to an hour. */
function removalPauseMs(forMs: number): number {
  return Math.min(Math.max(forMs, OPEN_INTENT_PATIENCE_MS), OPEN_INTENT_PAUSE_MAX_MS)
}

/**
 * Removes at its bank a charge that no payer has seen, and then its intent. Not before the bank has
 * said that it is gone, or its life is over; repeated until then, at growing pauses.
 */
export async function removeUnseen(
  deps: GatewayDeps,
  intent: Transaction,
  { accountId, name }: Pick<BankCharge, 'accountId' | 'name'>,
): Promise<void> {
  const { log, machineClock, bankCharges, transactions } = deps
  // From its commit on, no other request can show the charge.
  const sinceMs = await bankCharges.beginRemoval(intent.code, name, machineClock.now())
  if (sinceMs === undefined && (await bankCharges.find(intent.code))?.name === name) return
  const bank = await usableBank(deps, accountId)
  const removed = typeof bank === 'string' ? unusable(bank) : await bank.removeCharge(name)
  // The intent is gone, or goes on with another charge.
  if (sinceMs === undefined) return
  const facts = { transaction: intent.code, account: accountId }
  // Whoever asked for it did so before the removal began, for a day at most.
  const endMs = endOf({ bankExpiresAtMs: sinceMs + LIFETIME_MS })
  const isLate = machineClock.now() >= endMs && typeof bank !== 'string' && removed.kind !== 'done'
  const found = isLate ? await bank.findCharge(name, 'background') : removed
  if (found.kind === 'absent') {
    await transactions.withdrawIntent(intent)
    return
  }
  if (found.kind !== 'done' || found.value.state === 'open') {
    const nowMs = machineClock.now()
    const error = detailOf(found)
    // A bank may let its charges live for longer than it was asked to.
    const bankExpiresAtMs = found.kind === 'done' ? (found.value.expiresAtMs ?? 0) : 0
    if (nowMs >= Math.max(endMs, endOf({ bankExpiresAtMs }))) {
      log.warn({ ...facts, error }, 'a charge that was not removed is given up: its life is over')
      await transactions.withdrawIntent(intent)
    } else {
      log.warn({ ...facts, error }, 'a charge is not removed yet')
      await transactions.askLater(intent.code, nowMs + removalPauseMs(nowMs - sinceMs))
    }
    return
  }
  const { payments, state } = found.value
  if (state === 'removed' && payments.length === 0) await transactions.withdrawIntent(intent)
  else await recordCharge(deps, intent.code, { payments, ended: 'CANCELLED', isUnseen: true })
}
