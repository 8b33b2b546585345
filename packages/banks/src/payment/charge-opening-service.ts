// Requests a charge from an account's bank, within the time that a shop waits.
import {
  type Answer,
  DAY_MS,
  type Deadline,
  SECOND_MS,
  type TransactionRequest,
} from '@cofre/contracts'
import { BANK_NEEDS_MS, SHOP_WAITS_MS, askWithin, unanswered } from '@cofre/work'
import type { ChargeReference } from '../model/bank-charge.js'
import { chargeKindOf } from '../model/charge-kind.js'
import type { Pause, Transaction } from '@cofre/gateway/method'
import { type AccountBanks, detailOf, usableBank } from './account-bank-service.js'
import { type ChargeAnswer, type ChargeBank, type ChargeOrder, failureOf } from './charge-bank.js'

/** A PIX's lifetime. */
export const LIFETIME_MS = DAY_MS

/** The part of the shop's wait in which an accepted boleto is polled until it is issued. */
const ISSUE_WAITS_MS = 8 * SECOND_MS
/** The pauses between reads: more reads would exceed an account's limit of calls per minute. */
const ISSUE_PAUSES_MS = [SECOND_MS, 2 * SECOND_MS, 4 * SECOND_MS]

/** A request for a charge. */
export interface ChargeRequest {
  readonly charge: ChargeReference
  readonly request: TransactionRequest
  /** The time when the shop stops waiting: no call begins that would end later. */
  readonly deadline: Deadline
}

interface NewCharge extends ChargeRequest {
  /** The time that the shop waits for this bank. */
  readonly waitMs: number
}

interface EarlierCharge extends ChargeRequest {
  /** True if the charge may be requested again when the bank has none. */
  readonly mayAsk: () => Promise<boolean>
}

interface OpeningDeps {
  readonly banks: AccountBanks
  readonly pause: Pause
}

/** The answer of an account's bank to a request. */
export interface AnsweredCharge extends ChargeRequest {
  readonly answer: ChargeAnswer
}

/** Requests charges from the banks of accounts. */
export interface ChargeOpening {
  readonly open: (intent: Transaction, asked: NewCharge) => Promise<AnsweredCharge>
  readonly findOrOpen: (intent: Transaction, asked: EarlierCharge) => Promise<AnsweredCharge>
}

export function createChargeOpening(deps: OpeningDeps): ChargeOpening {
  return {
    open: (intent, asked) => openCharge(deps, intent, asked),
    findOrOpen: (intent, asked) => findOrOpenCharge(deps, intent, asked),
  }
}

/** Requests a new charge. A lost answer is found under the same name. */
async function openCharge(
  deps: OpeningDeps,
  intent: Transaction,
  { waitMs, ...asked }: NewCharge,
): Promise<AnsweredCharge> {
  const { charge, deadline } = asked
  const answer = await callBank(deps, charge, {
    waitMs,
    call: async (bank) => {
      const opened = await open(bank, orderOf(intent, asked), deadline)
      return await untilIssued(deps, bank, { charge, answer: opened, deadline })
    },
  })
  return { ...asked, answer: refusedIfFailed(answer) }
}

/**
 * Looks up an earlier request's charge. If there is none and `mayAsk` permits it, requests it again
 * under the same name. Only an existing charge is an answer: a refusal proves nothing while the
 * earlier request may be in flight.
 */
async function findOrOpenCharge(
  deps: OpeningDeps,
  intent: Transaction,
  { mayAsk, ...asked }: EarlierCharge,
): Promise<AnsweredCharge> {
  const { charge, deadline } = asked
  const answer = await callBank(deps, charge, {
    waitMs: SHOP_WAITS_MS,
    call: async (bank) => {
      const found = await bank.find(charge, 'payer-waits')
      const isAsked = found.kind === 'absent' && deadline.allows(BANK_NEEDS_MS) && (await mayAsk())
      const opened = isAsked ? await open(bank, orderOf(intent, asked), deadline) : found
      return await untilIssued(deps, bank, { charge, answer: opened, deadline })
    },
  })
  return { ...asked, answer: doneOrUnknown(answer) }
}

interface BoundedCall {
  /** The time that the shop waits for this bank. */
  readonly waitMs: number
  readonly call: (bank: ChargeBank) => Promise<ChargeAnswer>
}

/** If the account cannot be used, its bank was not reached. */
async function callBank(
  deps: OpeningDeps,
  charge: ChargeReference,
  { waitMs, call }: BoundedCall,
): Promise<ChargeAnswer> {
  const bank = await usableBank(deps.banks.of(charge))
  if (typeof bank === 'string') return unusable(bank)
  return await askWithin(waitMs, () => call(bank), unanswered)
}

export function unusable(why: string): Answer<never> {
  const detail = `an account cannot be used: ${why}`
  return { kind: 'not-sent', cause: 'login', detail }
}

function orderOf(
  intent: Transaction,
  { charge, request }: Omit<ChargeRequest, 'deadline'>,
): ChargeOrder {
  const { amountMinor, description } = intent
  return {
    ...charge,
    amountMinor,
    description,
    lifetimeSeconds: LIFETIME_MS / SECOND_MS,
    payer: chargeKindOf(charge).payerOf(request.payer),
  }
}

/** A refused or unsent request means that the bank has no charge of that name. */
async function open(
  bank: ChargeBank,
  order: ChargeOrder,
  deadline: Deadline,
): Promise<ChargeAnswer> {
  const answer = await bank.open(order)
  if (answer.kind !== 'unknown' || !deadline.allows(BANK_NEEDS_MS)) return answer
  return doneOrUnknown(await bank.find(order, 'payer-waits'))
}

interface AcceptedCharge {
  readonly charge: ChargeReference
  readonly answer: ChargeAnswer
  readonly deadline: Deadline
}

/** Polls an accepted boleto until it is issued, or until the shop must be answered. */
async function untilIssued(
  deps: OpeningDeps,
  bank: ChargeBank,
  { charge, answer, deadline }: AcceptedCharge,
): Promise<ChargeAnswer> {
  const leftMs = (): number => deadline.leftMs() - (SHOP_WAITS_MS - ISSUE_WAITS_MS)
  let known = answer
  for (const pauseMs of ISSUE_PAUSES_MS) {
    if (known.kind !== 'done' || known.value.state !== 'issuing') break
    if (leftMs() <= pauseMs) break
    await deps.pause(pauseMs)
    const named = { ...charge, bankId: known.value.bankId }
    const found = await askWithin(leftMs(), () => bank.find(named, 'payer-waits'), unanswered)
    if (found.kind === 'done') known = found
  }
  return known
}

/** A boleto that was requested once and could not be issued counts as refused. */
function refusedIfFailed(answer: ChargeAnswer): ChargeAnswer {
  const isFailed = answer.kind === 'done' && answer.value.state === 'failed'
  return isFailed ? { kind: 'refused', detail: failureOf(answer.value) } : answer
}

function doneOrUnknown(answer: ChargeAnswer): ChargeAnswer {
  return answer.kind === 'done' ? answer : { kind: 'unknown', detail: detailOf(answer) }
}
