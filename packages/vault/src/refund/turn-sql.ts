// Who may talk to an acquirer about a charge whose outcome is known.
import { type CardSummary, type MinorUnits, minorUnits } from '@cofre/contracts'
import {
  CHARGE_LEASE_MS,
  type CardCharge,
  type ChargeKey,
  chargeOfRow,
} from '../authorization/card-charge.js'
import type { VaultConnection } from '../database/vault-database.js'
import { lapseHorizonMs } from '../model/lapse.js'

/** A charge with what its order says of it. */
export interface HeldCharge extends CardCharge {
  readonly chargedMinor: MinorUnits
  readonly card: CardSummary
}

const keyOf = ({ environment, transactionCode }: ChargeKey) => ({
  environment,
  transaction_code: Number(transactionCode),
})

/** Finds a charge, and keeps others from changing it until the unit of work ends. */
export async function lockCharge(
  trx: VaultConnection,
  key: ChargeKey,
): Promise<HeldCharge | undefined> {
  const row = await trx
    .selectFrom('card_charges')
    .selectAll()
    .where((of) => of.and(keyOf(key)))
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const order = await trx
    .selectFrom('authorizations')
    .select(['amount_minor', 'brand', 'bin', 'last_four'])
    .where((of) => of.and(keyOf(key)))
    .executeTakeFirstOrThrow()
  const card = { brand: order.brand, bin: order.bin, lastFour: order.last_four }
  return { ...chargeOfRow(row), chargedMinor: minorUnits(order.amount_minor), card }
}

export async function findCharge(
  reader: VaultConnection,
  key: ChargeKey,
): Promise<CardCharge | undefined> {
  const row = await reader
    .selectFrom('card_charges')
    .selectAll()
    .where((of) => of.and(keyOf(key)))
    .executeTakeFirst()
  return row && chargeOfRow(row)
}

/** Whether somebody talks for a charge. */
export function isLeased({ leaseUntilMs }: CardCharge, nowMs: number): boolean {
  return leaseUntilMs > nowMs && leaseUntilMs <= lapseHorizonMs(nowMs, CHARGE_LEASE_MS)
}

/** The caller's turn, or more time for it. The caller has locked the charge. */
export async function leaseTurn<Charge extends CardCharge>(
  trx: VaultConnection,
  charge: Charge,
  nowMs: number,
): Promise<Charge> {
  // Another lease never has the same end.
  const leaseUntilMs = Math.max(nowMs + CHARGE_LEASE_MS, charge.leaseUntilMs + 1)
  await setLease(trx, charge, leaseUntilMs)
  return { ...charge, leaseUntilMs }
}

/** Ends a turn, unless another has begun. */
export async function endTurn(trx: VaultConnection, turn: CardCharge): Promise<void> {
  await setLease(trx, turn, 0)
}

async function setLease(
  trx: VaultConnection,
  { key, leaseUntilMs }: CardCharge,
  untilMs: number,
): Promise<void> {
  await trx
    .updateTable('card_charges')
    .set({ lease_until_ms: untilMs })
    .where((of) => of.and(keyOf(key)))
    .where('lease_until_ms', '=', leaseUntilMs)
    .execute()
}
