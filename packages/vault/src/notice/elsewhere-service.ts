// Items of a notice that are of another account of the acquirer than the one they arrived at.
import type { AcquirerEvent, AcquirerNotices, ElsewhereItem } from '@cofre/provider-kit/card'
import type { Clock, Log } from '@cofre/contracts'
import type { VaultDatabase } from '../database/vault-database.js'
import type { NoticeFate } from '../model/vault.js'
import { countForeignNotice } from './foreign-notice-sql.js'

export interface ElsewhereDeps {
  readonly database: VaultDatabase
  readonly clock: Clock
  readonly log: Log
  readonly noticesOf: (accountId: string) => Promise<AcquirerNotices>
  /** The other accounts of the same provider that have a setting of this value. */
  readonly accountsNamed: (accountId: string, name: string) => Promise<readonly string[]>
}

interface Elsewhere {
  /** Where the item arrived. */
  readonly accountId: string
  readonly item: ElsewhereItem
  readonly takeEvent: (accountId: string, event: AcquirerEvent) => Promise<NoticeFate>
}

/**
 * Applies an item at the account that it is of, where that is here and believes it by a key of its
 * own: another store may know the key of the address. Else it is counted where a key of the address
 * has signed it, and refused otherwise.
 */
export async function takeElsewhere(
  deps: ElsewhereDeps,
  { accountId, item, takeEvent }: Elsewhere,
): Promise<NoticeFate> {
  const { account: name, isSigned, notice } = item
  let fate: NoticeFate | undefined
  for (const other of await deps.accountsNamed(accountId, name)) {
    const reading = (await deps.noticesOf(other)).read(notice)
    if (reading.kind !== 'events' || reading.refused > 0 || reading.elsewhere.length > 0) continue
    fate ??= 'foreign'
    for (const event of reading.events) fate = await takeEvent(other, event)
    // Of several accounts with this name, one has the charge.
    if (fate !== 'foreign') return fate
  }
  if (fate !== undefined) return fate
  if (!isSigned) return 'forged'
  const { clock, database, log } = deps
  const warned = await countForeignNotice(database, { accountId, name }, clock.now())
  if (warned !== undefined) log.warn({ account: accountId, merchantAccount: warned }, NOT_HERE)
  return 'elsewhere'
}

const NOT_HERE =
  'notices of a merchant account arrive that no account here has: narrow the webhook, or add one'
