import { ApiError, type Clock, type Log } from '@cofre/contracts'
import { BANK_NEEDS_MS, SHOP_WAITS_MS } from '@cofre/work'
import {
  type BankCharge,
  type ChargeMethod,
  type RandomBelow,
  type Transaction,
  type WaitingDetails,
  boletoDeadlineMs,
  dayInBrasilia,
  storedRequest,
  withdraw,
} from '@cofre/gateway/method'
import type { BankChargeStore, TransactionStore } from './ports.js'
import type { ChargeReference, NewBankCharge } from '../model/bank-charge.js'
import { nextReadAtMs } from '../model/charge-read-times.js'
import { chargeKindOf } from '../model/charge-kind.js'
import { type AccountBanks, detailOf, usableBank } from './account-bank-service.js'
import { type ChargeReading, objectionTo } from './charge-bank.js'
import {
  type AnsweredCharge,
  type ChargeOpening,
  type ChargeRequest,
  LIFETIME_MS,
} from './charge-opening-service.js'
import type { RemoveUnshown } from './charge-removal-service.js'

/** See {@link planCharge}. */
export type PlanCharge = (accountId: string, method: ChargeMethod) => NewBankCharge

export interface PlanChargeDeps {
  readonly machineClock: Clock
  readonly boletoDays: number
  readonly randomBelow: RandomBelow
}

/** A charge at an account, to be committed before its bank is asked. */
export function planCharge(
  { boletoDays, machineClock, randomBelow }: PlanChargeDeps,
  accountId: string,
  method: ChargeMethod,
): NewBankCharge {
  const askedAtMs = machineClock.now()
  const { drawName, hasDueDate } = chargeKindOf({ method })
  const dueDate = hasDueDate ? dayInBrasilia(askedAtMs, boletoDays) : undefined
  return { accountId, method, name: drawName(randomBelow), dueDate, askedAtMs }
}

export type PayAtBank = (intent: Transaction, asked: NewChargeRequest) => Promise<Transaction>

export interface NewChargeRequest extends Omit<ChargeRequest, 'charge'> {
  readonly charge: NewBankCharge
  /** The store's further accounts, in order. */
  readonly others: readonly string[]
}

export interface BankPaymentDeps extends PayAgainAtBankDeps {
  readonly planCharge: PlanCharge
}

/**
 * Requests a charge from an account's bank, and commits that its payer can pay. While the shop
 * waits, the next account is asked if the bank was certainly not reached or has registered no
 * boleto.
 * @throws ApiError service_unavailable when no charge may be shown. The intent is gone if that is
 * proven; otherwise a worker removes the charge and then the intent.
 */
export async function payAtBank(
  deps: BankPaymentDeps,
  intent: Transaction,
  { charge: first, others, ...asking }: NewChargeRequest,
): Promise<Transaction> {
  const { deadline } = asking
  const { dueDate, method } = first
  const askFor = (charge: NewBankCharge, waitMs: number) =>
    deps.opening.open(intent, { ...asking, charge: { ...charge, bankId: undefined }, waitMs })
  let asked = await askFor(first, SHOP_WAITS_MS)
  for (const accountId of others) {
    if (!mayRouteOn(asked) || !deadline.allows(BANK_NEEDS_MS)) break
    logFailure(deps, intent, asked)
    const charge = { ...deps.planCharge(accountId, method), dueDate }
    if (!(await deps.bankCharges.routeOn(intent.code, charge)))
      throw new ApiError('service_unavailable')
    asked = await askFor(charge, deadline.leftMs())
  }
  return await finishCharge(deps, intent, asked)
}

function mayRouteOn({ answer, charge }: AnsweredCharge): boolean {
  const { isReroutedWhenRefused } = chargeKindOf(charge)
  return answer.kind === 'not-sent' || (answer.kind === 'refused' && isReroutedWhenRefused)
}

export interface PayAgainAtBankDeps extends ShowChargeDeps {
  readonly log: Log
  readonly opening: ChargeOpening
  readonly removeUnshown: RemoveUnshown
}

/**
 * Continues an earlier request, at the account that it had asked.
 * @throws ApiError service_unavailable, see {@link payAtBank}
 */
export async function payAgainAtBank(
  deps: PayAgainAtBankDeps,
  intent: Transaction,
  { charge, ...asking }: Omit<ChargeRequest, 'charge'> & { readonly charge: BankCharge },
): Promise<Transaction> {
  // Its bank is no longer asked for it.
  if (charge.state === 'removing') throw new ApiError('service_unavailable')
  const { bankCharges, machineClock } = deps
  const mayAsk = async (): Promise<boolean> =>
    chargeKindOf(charge).isOpenedOnce ||
    (await bankCharges.renewRequest(intent.code, charge.name, machineClock.now()))
  const asked = await deps.opening.findOrOpen(intent, { ...asking, charge, mayAsk })
  return await finishCharge(deps, intent, asked)
}

export interface ShowIfOpenedDeps extends ShowChargeDeps {
  readonly banks: AccountBanks
}

/**
 * Commits that a payer can pay a charge that an earlier request has opened at its bank.
 * @throws Error while the charge's existence is unknown, and when no payer may see it
 */
export async function showIfOpened(
  deps: ShowIfOpenedDeps,
  intent: Transaction,
  charge: BankCharge,
): Promise<Transaction> {
  if (charge.state === 'removing') throw new Error('its charge is being removed')
  const bank = await usableBank(deps.banks.of(charge))
  if (typeof bank === 'string') throw new Error(bank)
  // A shop may retry often, which must not use up calls that payers need.
  const found = await bank.find(charge, 'background')
  if (found.kind !== 'done') throw new Error(detailOf(found))
  const payerName = storedRequest(intent).payer?.name ?? ''
  const shown = await showCharge(deps, intent, { charge, found: found.value, payerName })
  if (typeof shown === 'string') throw new Error(shown)
  return shown
}

/** Commits the answer of the last bank that was asked. @throws ApiError service_unavailable */
async function finishCharge(
  deps: PayAgainAtBankDeps,
  intent: Transaction,
  asked: AnsweredCharge,
): Promise<Transaction> {
  const { answer, charge, request } = asked
  if (answer.kind !== 'done') {
    logFailure(deps, intent, asked)
    if (answer.kind === 'unknown') await deps.bankCharges.doubt(intent.code, charge.name)
    const standing = answer.kind === 'unknown' ? undefined : await withdraw(deps, intent)
    if (standing === undefined) throw new ApiError('service_unavailable')
    return standing
  }
  const { accountId: account } = charge
  const payerName = request.payer.name
  const shown = await showCharge(deps, intent, { charge, found: answer.value, payerName })
  if (typeof shown !== 'string') return shown
  deps.log.warn(
    { transaction: intent.code, account, error: shown },
    'a charge of a bank cannot be shown',
  )
  const { bankId } = answer.value
  await deps.removeUnshown(intent, { charge: { ...charge, bankId }, reason: shown })
  throw new ApiError('service_unavailable')
}

function logFailure(
  { log }: PayAgainAtBankDeps,
  { code }: Transaction,
  { answer, charge: { accountId } }: AnsweredCharge,
): void {
  const facts = { transaction: code, account: accountId, error: detailOf(answer) }
  if (answer.kind === 'unknown')
    log.warn(facts, 'a bank did not confirm whether it opened a charge')
  else log.warn(facts, 'a bank did not open a charge')
}

interface ShownCharge {
  readonly charge: ChargeReference
  readonly found: ChargeReading
  readonly payerName: string
}

interface ShowChargeDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly transactions: TransactionStore
  readonly bankCharges: BankChargeStore
}

/** The transaction that waits for its payer, or why no payer may see the charge. */
async function showCharge(
  { bankCharges, clock, machineClock, transactions }: ShowChargeDeps,
  intent: Transaction,
  shown: ShownCharge,
): Promise<Transaction | string> {
  const { charge, found } = shown
  const objection = objectionTo(found, intent)
  if (objection !== undefined) return objection
  const { dueDate, method, name } = charge
  const { isIssuedLater } = chargeKindOf(charge)
  const openedAtMs = machineClock.now()
  const issuedAtMs =
    isIssuedLater && found.codes !== undefined && found.state !== 'issuing' ? openedAtMs : undefined
  const bankExpiresAtMs =
    dueDate === undefined
      ? (found.expiresAtMs ?? openedAtMs + LIFETIME_MS)
      : boletoDeadlineMs(dueDate)
  const times = { method, dueDate, openedAtMs, issuedAtMs, bankExpiresAtMs }
  const firstReadAtMs = nextReadAtMs(
    { ...times, issuedAtMs: undefined, state: 'live' },
    0,
    openedAtMs,
  )
  const { bankId, ourNumber } = found
  const opened = await bankCharges.open(
    intent,
    { ...times, name, bankId, ourNumber, firstReadAtMs },
    { atMs: clock.now(), paymentDetails: detailsOf(shown) },
  )
  if (opened !== undefined) return opened
  const current = await transactions.findByCode(intent.code)
  return current?.open === false ? current : 'it was given up meanwhile'
}

function detailsOf({ charge, found, payerName }: ShownCharge): WaitingDetails {
  const { accountId, dueDate } = charge
  const { barcode, digitableLine, pixCode } =
    found.codes?.kind === 'held' ? found.codes.codes : NONE
  if (dueDate !== undefined)
    return { kind: 'boleto', barcode, digitableLine, pixCode, accountId, dueDate, payerName }
  if (pixCode === undefined) throw new Error('a PIX has a code')
  return { kind: 'pix', code: pixCode, accountId }
}

const NONE = { barcode: undefined, digitableLine: undefined, pixCode: undefined }
