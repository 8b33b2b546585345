import { timingSafeEqual } from 'node:crypto'
import { type Log, pages } from '@cofre/contracts'
import type { SealingDeps } from '../data-key/data-key-service.js'
import { findDataKey } from '../data-key/data-key-sql.js'
import type { SealingKey } from '../keys/sealed-value.js'
import {
  type AuditEvent,
  type AuditRow,
  CHAIN_START,
  type ChainLink,
  type ChainedRow,
  auditEntry,
  headText,
  linkAfter,
} from './audit-entry.js'
import {
  appendEntry,
  chainEntries,
  chainedEntries,
  findHead,
  lockHead,
  moveHead,
  unchainedEntries,
} from './audit-sql.js'

/** The finding of a walk along the chain. */
export type AuditVerdict =
  | { readonly kind: 'intact'; readonly head: ChainLink }
  /**
   * The first break. `changed`: this entry, or its order, is not what it was; `missing`: there is
   * no such entry; `another_head`: the chain is whole, but is not the one that ended with the given
   * head.
   */
  | {
      readonly kind: 'broken'
      readonly position: number
      readonly reason: 'changed' | 'missing' | 'another_head'
    }

const HEAD_MISSING: AuditVerdict = { kind: 'broken', position: 0, reason: 'missing' }

/**
 * Bounds how long a transaction blocks others on SQLite, or holds the chain's lock on PostgreSQL.
 */
const ENTRIES_PER_TRANSACTION = 200
const ENTRIES_PER_PAGE = 1000

/** Writes an entry in its own transaction. Needs no keys. */
export async function recordEvent(
  { database, clock }: Omit<SealingDeps, 'dataKeys'>,
  event: AuditEvent,
): Promise<void> {
  const entry = auditEntry(event, clock.now())
  await database.transact((trx) => appendEntry(trx, entry))
}

/**
 * Gives every waiting entry its place in the chain. An entry is written without one, in the
 * transaction that it reports, so that payments never queue for the end of the chain. May run in
 * many processes at once. Each remembers the end of the chain, and logs an error if the chain no
 * longer has it.
 */
export function createAuditChain(deps: SealingDeps & { readonly log: Log }): () => Promise<void> {
  const { database, log } = deps
  let witnessed = CHAIN_START
  return async () => {
    // The vault chains every entry without a place. So an attacker who removes the places makes it
    // write another history, even without keys.
    if (!(await isWithin(deps, witnessed))) {
      log.error(
        { head: headText(witnessed) },
        'the audit log was cut off or written anew: keep this head, and pass it to cofre audit verify',
      )
      await chainAll(deps)
      return
    }
    const before = await findHead(database.reader)
    await chainAll(deps)
    witnessed = (await findHead(database.reader)) ?? CHAIN_START
    // Logs are shipped elsewhere: an attacker who cuts off the end of the chain can't remove this.
    if (witnessed.position !== before?.position)
      log.info({ head: headText(witnessed) }, 'the audit log was chained')
  }
}

/** True if the chain still has this link. */
async function isWithin({ database }: SealingDeps, link: ChainLink): Promise<boolean> {
  if (link.position === CHAIN_START.position) return true
  const [entry] = await chainedEntries(database.reader, { position: link.position, id: '' }, 1)
  return entry !== undefined && isLink(link, entry)
}

async function chainAll({ database, dataKeys }: SealingDeps): Promise<void> {
  const key = await dataKeys.of('audit-log')
  let count: number
  do {
    count = await database.transact(async (trx) => {
      const head = await lockHead(trx)
      if (head === undefined) throw new Error('the audit log has lost the record of its head')
      const chained = chainAfter(head, await unchainedEntries(trx, ENTRIES_PER_TRANSACTION), key)
      const last = chained.at(-1)
      if (last === undefined) return 0
      await chainEntries(trx, chained)
      await moveHead(trx, last)
      return chained.length
    })
  } while (count === ENTRIES_PER_TRANSACTION)
}

function chainAfter(
  head: ChainLink,
  entries: readonly AuditRow[],
  { key }: SealingKey,
): ChainedRow[] {
  let last = head
  return entries.map((entry) => ({ ...entry, ...(last = linkAfter(last, entry, key)) }))
}

/**
 * Walks the chain from its start. New entries are chained first.
 * @param known - A head that was recorded earlier, elsewhere. Only with one is a missing end
 * noticed.
 */
export async function verifyAuditLog(deps: SealingDeps, known?: ChainLink): Promise<AuditVerdict> {
  if ((await findHead(deps.database.reader)) === undefined) return HEAD_MISSING
  await chainAll(deps)
  return await readAuditChain(deps, known)
}

/** Walks the chain as it is. Changes nothing. */
export async function readAuditChain(deps: SealingDeps, known?: ChainLink): Promise<AuditVerdict> {
  const { reader } = deps.database
  const end = await findHead(reader)
  if (end === undefined) return HEAD_MISSING
  if (end.position === CHAIN_START.position && known === undefined)
    return { kind: 'intact', head: end }
  // A request for a missing key would create a new one.
  if ((await findDataKey(reader, { scope: 'audit-log' })) === undefined)
    return { kind: 'broken', position: 1, reason: 'changed' }
  const key = await deps.dataKeys.of('audit-log')
  let at: ChainLink = CHAIN_START
  const entries = pages(async (after: ChainedRow | undefined) => {
    const items = await chainedEntries(reader, after, ENTRIES_PER_PAGE)
    return { items, next: items.length < ENTRIES_PER_PAGE ? undefined : items.at(-1) }
  })
  for await (const entry of entries) {
    const reason = breakAt(at, entry, key)
    if (reason !== undefined) return { kind: 'broken', position: at.position + 1, reason }
    at = entry
    if (at.position === known?.position && !isLink(known, at))
      return { kind: 'broken', position: at.position, reason: 'another_head' }
  }
  const expected = Math.max(end.position, known?.position ?? 0)
  if (at.position < expected)
    return { kind: 'broken', position: at.position + 1, reason: 'missing' }
  return { kind: 'intact', head: { position: at.position, mac: at.mac } }
}

function breakAt(
  previous: ChainLink,
  entry: ChainedRow,
  key: SealingKey,
): 'changed' | 'missing' | undefined {
  if (entry.position > previous.position + 1) return 'missing'
  return isLink(linkAfter(previous, entry, key.key), entry) ? undefined : 'changed'
}

function isLink(expected: ChainLink, found: ChainLink): boolean {
  const [a, b] = [Buffer.from(expected.mac), Buffer.from(found.mac)]
  return expected.position === found.position && a.length === b.length && timingSafeEqual(a, b)
}
