// Items of a notice that belong to another account of the acquirer than the one where they arrived.
import type { AcquirerEvent, AcquirerNotices, ElsewhereItem } from '@cofre/provider-kit/card'
import type { Clock, Log } from '@cofre/contracts'
import type { VaultDatabase } from '../database/vault-database.js'
import type { NoticeResult } from '../model/vault.js'
import { countForeignNotice } from './foreign-notice-sql.js'

export interface MisdirectedDeps {
  readonly database: VaultDatabase
  readonly clock: Clock
  readonly log: Log
  readonly noticesOf: (accountId: string) => Promise<AcquirerNotices>
  /** The other accounts of the same provider that have a setting with this value. */
  readonly accountsNamed: (accountId: string, name: string) => Promise<readonly string[]>
}

interface MisdirectedItem {
  /** The account at which the item arrived. */
  readonly accountId: string
  readonly item: ElsewhereItem
  readonly applyEvent: (accountId: string, event: AcquirerEvent) => Promise<NoticeResult>
}

/**
 * Applies an item at its own account, if that is here and accepts it by a key of its own: another
 * store may know the key of the address. Otherwise the item is counted if a key of the address has
 * signed it, and refused if not.
 */
export async function applyMisdirected(
  deps: MisdirectedDeps,
  { accountId, item, applyEvent }: MisdirectedItem,
): Promise<NoticeResult> {
  const { account: name, isSigned, notice } = item
  let fate: NoticeResult | undefined
  for (const other of await deps.accountsNamed(accountId, name)) {
    const reading = (await deps.noticesOf(other)).read(notice)
    if (reading.kind !== 'events' || reading.refused > 0 || reading.elsewhere.length > 0) continue
    fate ??= 'foreign'
    for (const event of reading.events) fate = await applyEvent(other, event)
    // Several accounts may have this name, but only one has the charge.
    if (fate !== 'foreign') return fate
  }
  if (fate !== undefined) return fate
  if (!isSigned) return 'forged'
  const { clock, database, log } = deps
  const warned = await countForeignNotice(database, { accountId, name }, clock.now())
  if (warned !== undefined)
    log.warn({ account: accountId, merchantAccount: warned }, UNKNOWN_ACCOUNT)
  return 'elsewhere'
}

const UNKNOWN_ACCOUNT =
  'notices of a merchant account arrive that no account here has: narrow the webhook, or add one'
