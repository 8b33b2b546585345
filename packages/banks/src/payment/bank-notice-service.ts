import type { Clock } from '@cofre/contracts'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { AccountStore, BankChargeStore } from './ports.js'

export interface BankNoticeDeps {
  readonly machineClock: Clock
  readonly accounts: AccountStore
  readonly bankCharges: BankChargeStore
}

/**
 * Accepts an unproven notice from an account's bank: plans a look at each charge that it names, and
 * decides nothing. Unknown names are dropped.
 */
export async function acceptNotice(
  { bankCharges, machineClock }: BankNoticeDeps,
  accountId: string,
  names: readonly string[],
): Promise<void> {
  await bankCharges.planReadsByName(accountId, names, machineClock.now())
}

/** True if a notice arrived at the account's own address. */
export async function expectsNotice(
  { accounts }: BankNoticeDeps,
  accountId: string,
  secret: string,
): Promise<boolean> {
  // PostgreSQL rejects NUL in a text.
  const account = /^[A-Za-z0-9-]{1,64}$/.test(accountId)
    ? await accounts.find(accountId)
    : undefined
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  const expected = account?.secrets.noticeSecret.reveal() ?? ''
  return timingSafeEqual(digest(expected), digest(secret)) && expected !== ''
}
