import { insertAct } from '../log/acts-log-sql.js'
import type { PeopleAct } from '../model/act.js'
import { rename } from '../link/email-sql.js'
import { personOf } from '../link/link-sql.js'
import { TRIES_OF_ALL, allTriesKey, forgetBrowsersOf } from '../sign-in/lockout-sql.js'
import { endLinksOf } from '../sign-in/open-link-sql.js'
import {
  type StaffOf,
  isOwnedByOthers,
  lockStaff,
  lockStore,
  mayManage,
  membershipsOf,
} from '../log/owner-sql.js'
import type {
  By,
  Member,
  MemberId,
  MembershipResult,
  Person,
  Staff,
  StaffResult,
  StoreOfPerson,
} from '../model/people.js'
import type { MembershipRow, PersonRow } from '../model/people-tables.js'
import type { Role, RoleScope } from '../model/role.js'
import { endSessionsOf } from '../sign-in/session-sql.js'
import { OWN_ACT, actIn } from '../sign-in/sign-in-sql.js'
import { type Db, type PeopleDeps, inUnit } from '../model/unit.js'

/** The staff of stores. */
export function createSqlStaff(deps: PeopleDeps): Staff {
  const { database } = deps
  return {
    members: (storeId, scope = 'both') => membersOf(deps, { storeId, scope }),

    async storesOf(personId) {
      const rows = await database.reader
        .selectFrom('memberships')
        .innerJoin('merchants', 'merchants.id', 'memberships.merchant_id')
        .select(['memberships.merchant_id', 'memberships.role'])
        .where('memberships.person_id', '=', personId)
        .where('merchants.enabled', '=', 1)
        .orderBy('memberships.merchant_id')
        .execute()
      const inSandbox = await database.reader
        .selectFrom('sandbox_memberships')
        .select(['merchant_id', 'role'])
        .where('person_id', '=', personId)
        .orderBy('merchant_id')
        .execute()
      return [...storesOfPerson(rows, 'both'), ...storesOfPerson(inSandbox, 'sandbox')]
    },

    setRole: (place, role, by) => changeMembership(deps, { ...place, role, by }),
    remove: (place, by) => changeMembership(deps, { ...place, role: undefined, by }),
    list: () => listPeople(deps),
    disable: (email, by) => disable(deps, email, by),
    enable: (email, by) => enable(deps, email, by),
    rename: (which, by) => rename(deps, which, by),
  }
}

function storesOfPerson(
  rows: readonly Pick<MembershipRow, 'merchant_id' | 'role'>[],
  scope: RoleScope,
): readonly StoreOfPerson[] {
  return rows.map(({ merchant_id, role }) => ({ storeId: merchant_id, role, scope }))
}

interface MembershipChange extends MemberId {
  /** Undefined for a removal. */
  readonly role: Role | undefined
  readonly by: By
}

async function changeMembership(
  deps: PeopleDeps,
  { storeId, scope = 'both', personId, role, by }: MembershipChange,
): Promise<MembershipResult> {
  return await inUnit(deps, async (unit) => {
    const { trx } = unit
    await lockStaff(trx, { storeId, scope })
    if (!(await mayManage(trx, { storeId, scope }, by.actor))) return 'not-allowed'
    const table = membershipsOf(scope)
    const before = await trx
      .selectFrom(trx.dynamic.table(table).as('membership'))
      .innerJoin('people', 'people.id', 'membership.person_id')
      .select(['membership.role', 'people.name', 'people.email'])
      .where('merchant_id', '=', storeId)
      .where('person_id', '=', personId)
      .executeTakeFirst()
    if (before === undefined) return 'not-found'
    if (before.role === role) return 'done'
    const isOwner = scope === 'both' && before.role === 'owner'
    if (isOwner && !(await isOwnedByOthers(trx, [storeId], personId))) return 'last-owner'
    const membership = { merchant_id: storeId, person_id: personId }
    if (role === undefined)
      await trx
        .deleteFrom(table)
        .where((of) => of.and(membership))
        .execute()
    else
      await trx
        .updateTable(table)
        .set({ role })
        .where((of) => of.and(membership))
        .execute()
    await endLinksOf(trx, { personId, email: before.email, of: { storeId, scope } })
    await insertAct(unit, {
      ...changedBy(by, role === undefined ? 'taken-out' : 'role-changed', personId),
      ...actIn(scope),
      storeId,
      detail: {
        name: before.name,
        email: before.email,
        from: before.role,
        ...(role !== undefined && { to: role }),
      },
    })
    return 'done'
  })
}

function changedBy({ actor, address, browser }: By, action: PeopleAct, target: string) {
  return { ...OWN_ACT, actor, address, browser, action, target, outcome: 'done' } as const
}

async function disable(deps: PeopleDeps, email: string, by: By): Promise<StaffResult> {
  return await inUnit(deps, async (unit) => {
    const { trx } = unit
    const person = await personOf(trx, email)
    if (person === undefined) return 'not-found'
    const owned = await trx
      .selectFrom('memberships')
      .select('merchant_id')
      .where('person_id', '=', person.id)
      .where('role', '=', 'owner')
      .orderBy('merchant_id')
      .execute()
    const storeIds = owned.map(({ merchant_id }) => merchant_id)
    for (const storeId of storeIds) await lockStore(trx, storeId)
    if (!(await isOwnedByOthers(trx, storeIds, person.id))) return 'last-owner'
    await trx
      .updateTable('people')
      .set({ enabled: 0, disabled_at: unit.nowMs })
      .where('id', '=', person.id)
      .execute()
    await endSessionsOf(trx, person.id)
    await forgetBrowsersOf(trx, person.id)
    await endLinksOf(trx, { personId: person.id, email: person.email })
    const { name } = person
    const detail = { name, email: person.email }
    await insertAct(unit, { ...changedBy(by, 'person-disabled', person.id), detail })
    return 'done'
  })
}

async function enable(deps: PeopleDeps, email: string, by: By) {
  return await inUnit(deps, async (unit): Promise<StaffResult> => {
    const { trx } = unit
    const person = await personOf(trx, email)
    if (person === undefined) return 'not-found'
    await trx
      .updateTable('people')
      .set({ enabled: 1, disabled_at: null })
      .where('id', '=', person.id)
      .execute()
    const { name } = person
    const detail = { name, email: person.email }
    await insertAct(unit, { ...changedBy(by, 'person-enabled', person.id), detail })
    return 'done'
  })
}

async function membersOf({ database, clock }: PeopleDeps, { storeId, scope }: StaffOf) {
  const { reader } = database
  const people = withPasskeys(reader)
  const staff =
    scope === 'sandbox'
      ? people.innerJoin('sandbox_memberships as membership', 'membership.person_id', 'people.id')
      : people.innerJoin('memberships as membership', 'membership.person_id', 'people.id')
  const rows = await staff
    .select(['membership.role', 'membership.created_at as joined_at'])
    .select((of) =>
      of
        .selectFrom('console_sessions')
        .select((seen) => seen.fn.max('console_sessions.used_at').as('at'))
        .whereRef('console_sessions.person_id', '=', 'people.id')
        .as('seen_at'),
    )
    .where('membership.merchant_id', '=', storeId)
    .orderBy('people.name')
    .orderBy('people.id')
    .execute()
  const guessedAt = await guessedKeys(reader, rows, clock.now())
  return rows.map((row): Member => ({
    ...personFrom(row),
    role: row.role,
    joinedAtMs: row.joined_at,
    lastSeenAtMs: row.seen_at ?? undefined,
    isGuessedAt: guessedAt.has(allTriesKey(row.email)),
  }))
}

/** The keys of people whose passwords unknown browsers have guessed too often. */
async function guessedKeys(
  db: Db,
  rows: readonly Pick<PersonRow, 'email'>[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const { failuresMax, windowMs } = TRIES_OF_ALL
  const full = await db
    .selectFrom('sign_in_failures')
    .select('key')
    .where(
      'key',
      'in',
      rows.map(({ email }) => allTriesKey(email)),
    )
    .where('failures', '>=', failuresMax)
    .where('first_at', '>', nowMs - windowMs)
    .execute()
  return new Set(full.map(({ key }) => key))
}

async function listPeople({ database }: PeopleDeps): Promise<readonly Person[]> {
  const rows = await withPasskeys(database.reader).orderBy('people.email').execute()
  const memberships = await Promise.all(
    (['both', 'sandbox'] as const).map(async (scope) => {
      const of = database.reader.selectFrom(membershipsOf(scope)).selectAll()
      const ordered = await of.orderBy('merchant_id').execute()
      return { scope, byPerson: Map.groupBy(ordered, ({ person_id }) => person_id) }
    }),
  )
  return rows.map((row) => ({
    ...personFrom(row),
    stores: memberships.flatMap(({ scope, byPerson }) =>
      storesOfPerson(byPerson.get(row.id) ?? [], scope),
    ),
  }))
}

function withPasskeys(db: Db) {
  return db
    .selectFrom('people')
    .select(['people.id', 'people.email', 'people.name', 'people.enabled'])
    .select(['people.password', 'people.created_at'])
    .select(['people.email_proved_at', 'people.former_email'])
    .select((of) =>
      of
        .selectFrom('passkeys')
        .select((each) => each.fn.countAll().as('passkeys'))
        .whereRef('passkeys.person_id', '=', 'people.id')
        .as('passkeys'),
    )
}

type ListedRow = Awaited<ReturnType<ReturnType<typeof withPasskeys>['execute']>>[number]

function personFrom(row: ListedRow): Omit<Person, 'stores'> {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    isEmailProved: row.email_proved_at !== null,
    ...(row.former_email !== null && { formerEmail: row.former_email }),
    enabled: row.enabled === 1,
    hasPassword: row.password !== null,
    passkeys: Number(row.passkeys),
    createdAtMs: row.created_at,
  }
}
