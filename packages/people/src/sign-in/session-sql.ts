import { randomBytes } from 'node:crypto'
import { type Clock, HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { hashSessionId } from '../model/digest.js'
import { isOpenLink } from './open-link-sql.js'
import type { ActOrigin } from '../model/act.js'
import type { OpenedSession, People, StaffSession } from '../model/people.js'
import type { PeopleTables } from '../model/people-tables.js'
import type { Access } from '../model/role.js'
import type { Db, Unit } from '../model/unit.js'

export const SESSION_LIFETIME_MS = 12 * HOUR_MS
/** An unused session is over after this time. */
const SESSION_IDLE_MS = 30 * MINUTE_MS
/** The accuracy of a session's last use. */
export const SESSION_USE_STEP_MS = MINUTE_MS
/** The time for which one proof is enough. */
const STEP_UP_MS = 5 * MINUTE_MS
const SESSION_ID_BYTES = 32

export interface SessionDeps {
  readonly database: Database<PeopleTables>
  readonly clock: Clock
}

export function newSessionId(): string {
  return randomBytes(SESSION_ID_BYTES).toString('base64url')
}

/** Opens a session in the unit of work that has checked the person. */
export async function openSession(
  { trx, nowMs }: Unit,
  personId: string,
  from: ActOrigin,
): Promise<OpenedSession> {
  const sessionId = newSessionId()
  const idHash = hashSessionId(sessionId)
  await trx
    .insertInto('console_sessions')
    .values({
      id_hash: idHash,
      first_id_hash: idHash,
      person_id: personId,
      merchant_id: null,
      secret_mark: null,
      created_at: nowMs,
      used_at: nowMs,
      expires_at: nowMs + SESSION_LIFETIME_MS,
      stepped_up_at: null,
      address: from.address,
      browser: from.browser,
    })
    .execute()
  return { sessionId, personId }
}

/** Gives an existing session a new secret id. Undefined if the session is gone. */
export async function renewSession(
  trx: Db,
  session: Pick<StaffSession, 'idHash' | 'personId'>,
  change: { readonly stepped_up_at?: number; readonly created_at?: number },
): Promise<OpenedSession | undefined> {
  const sessionId = newSessionId()
  const { numUpdatedRows } = await trx
    .updateTable('console_sessions')
    .set({ ...change, id_hash: hashSessionId(sessionId) })
    .where('id_hash', '=', session.idHash)
    .where('person_id', '=', session.personId)
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0 ? { sessionId, personId: session.personId } : undefined
}

/** Ends all of a person's sessions, or all but one. */
export async function endSessionsOf(trx: Db, personId: string, except = ''): Promise<void> {
  await trx
    .deleteFrom('console_sessions')
    .where('person_id', '=', personId)
    .where('id_hash', '<>', except)
    .execute()
}

export async function endSession(trx: Db, idHash: string): Promise<void> {
  await trx.deleteFrom('console_sessions').where('id_hash', '=', idHash).execute()
}

/** Live sessions of enabled people. */
function liveSessions(db: Db, nowMs: number) {
  return db
    .selectFrom('console_sessions')
    .innerJoin('people', 'people.id', 'console_sessions.person_id')
    .where('console_sessions.expires_at', '>', nowMs)
    .where('console_sessions.used_at', '>', nowMs - SESSION_IDLE_MS)
    .where('people.enabled', '=', 1)
    .whereRef('people.credentials_at', '<=', 'console_sessions.created_at')
    .select([
      'console_sessions.id_hash',
      'console_sessions.first_id_hash',
      'people.id as person_id',
      'people.name',
      'people.email',
      'console_sessions.created_at',
      'console_sessions.used_at',
      'console_sessions.expires_at',
      'console_sessions.stepped_up_at',
      'console_sessions.address',
      'console_sessions.browser',
    ])
}

type LiveSessionRow = Awaited<ReturnType<ReturnType<typeof liveSessions>['execute']>>[number]

function sessionOf(row: LiveSessionRow): StaffSession {
  return {
    idHash: row.id_hash,
    firstIdHash: row.first_id_hash,
    personId: row.person_id,
    name: row.name,
    email: row.email,
    createdAtMs: row.created_at,
    usedAtMs: row.used_at,
    expiresAtMs: row.expires_at,
    steppedUpUntilMs: row.stepped_up_at === null ? 0 : row.stepped_up_at + STEP_UP_MS,
    address: row.address,
    browser: row.browser,
  }
}

/** True if the session is not over. */
export async function isLive(
  { trx, nowMs }: Pick<Unit, 'trx' | 'nowMs'>,
  { idHash }: Pick<StaffSession, 'idHash'>,
): Promise<boolean> {
  const own = liveSessions(trx, nowMs).where('console_sessions.id_hash', '=', idHash)
  return (await own.executeTakeFirst()) !== undefined
}

export async function sessionsOf(
  { database, clock }: SessionDeps,
  personId: string,
): Promise<readonly StaffSession[]> {
  const rows = await liveSessions(database.reader, clock.now())
    .where('people.id', '=', personId)
    .orderBy('console_sessions.created_at', 'desc')
    .execute()
  return rows.map(sessionOf)
}

/**
 * Reads session, person and membership in one statement. A person without a store is signed out,
 * unless a link waits that a signed-in person can accept: an invitation, or one for any owner.
 */
export async function findSession(
  deps: SessionDeps,
  idHash: string,
  storeId = '',
): ReturnType<People['find']> {
  return await findLive(deps, { column: 'console_sessions.id_hash', hash: idHash, storeId })
}

/**
 * The first id opens nothing once it is replaced: only code that has the session searches by it.
 */
export async function accessOf(
  deps: SessionDeps,
  { firstIdHash: hash }: StaffSession,
  storeId: string,
): ReturnType<People['accessOf']> {
  const found = await findLive(deps, { column: 'console_sessions.first_id_hash', hash, storeId })
  return found?.access
}

interface WantedSession {
  readonly column: 'console_sessions.id_hash' | 'console_sessions.first_id_hash'
  readonly hash: string
  readonly storeId: string
}

async function findLive(
  { database, clock }: SessionDeps,
  { column, hash, storeId }: WantedSession,
): ReturnType<People['find']> {
  const nowMs = clock.now()
  const row = await liveSessions(database.reader, nowMs)
    .where(column, '=', hash)
    .where((of) => {
      const inStores = of
        .selectFrom('memberships')
        .innerJoin('merchants', 'merchants.id', 'memberships.merchant_id')
        .select('memberships.role')
        .whereRef('memberships.person_id', '=', 'people.id')
        .where('merchants.enabled', '=', 1)
      const links = of
        .selectFrom('console_links')
        .select('console_links.token_hash')
        .where((link) =>
          link.or([
            link('console_links.email', '=', link.ref('people.email')),
            link('console_links.purpose', '=', 'owner'),
          ]),
        )
        .where(isOpenLink(nowMs))
      const inSandboxes = of
        .selectFrom('sandbox_memberships')
        .select('sandbox_memberships.role')
        .whereRef('sandbox_memberships.person_id', '=', 'people.id')
      return of.or([of.exists(inStores), of.exists(inSandboxes), of.exists(links)])
    })
    .select((of) =>
      of
        .selectFrom('memberships')
        .innerJoin('merchants', 'merchants.id', 'memberships.merchant_id')
        .select('memberships.role')
        .whereRef('memberships.person_id', '=', 'people.id')
        .where('memberships.merchant_id', '=', storeId)
        .where('merchants.enabled', '=', 1)
        .as('role'),
    )
    .select((of) =>
      of
        .selectFrom('sandbox_memberships')
        .select('sandbox_memberships.role')
        .whereRef('sandbox_memberships.person_id', '=', 'people.id')
        .where('sandbox_memberships.merchant_id', '=', storeId)
        .as('sandbox_role'),
    )
    .executeTakeFirst()
  if (row === undefined) return undefined
  await recordUse(database, row.id_hash, { usedAtMs: row.used_at, nowMs })
  const session = sessionOf(row)
  const { personId, name, steppedUpUntilMs } = session
  const role = row.role ?? row.sandbox_role
  const scope = row.role === null ? 'sandbox' : 'both'
  const access: Access | undefined =
    role === null ? undefined : { kind: 'person', personId, name, role, scope, steppedUpUntilMs }
  return { session, access }
}

/** Writes once a minute, so that pages seldom write. */
export async function recordUse(
  database: Database<PeopleTables>,
  idHash: string,
  { usedAtMs, nowMs }: { readonly usedAtMs: number; readonly nowMs: number },
): Promise<void> {
  if (Math.abs(nowMs - usedAtMs) < SESSION_USE_STEP_MS) return
  await database.transact(async (trx) => {
    await trx
      .updateTable('console_sessions')
      .set({ used_at: nowMs })
      .where('id_hash', '=', idHash)
      .execute()
  })
}
