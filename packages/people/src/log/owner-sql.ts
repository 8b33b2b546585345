import type { Actor } from '../model/act.js'
import { type RoleScope, rolesThatMay } from '../model/role.js'
import type { Db } from '../model/unit.js'

const PERSON = 'person:'

/** The enabled owners of these stores who have a way to sign in. */
export async function ownersOf(trx: Db, storeIds: readonly string[]) {
  return await trx
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select(['memberships.merchant_id', 'memberships.person_id'])
    .select(['people.email', 'people.former_email'])
    .where('memberships.merchant_id', 'in', storeIds)
    .where('memberships.role', '=', 'owner')
    .where('people.enabled', '=', 1)
    .where((person) =>
      person.or([
        person.and([
          person('people.password', 'is not', null),
          person('people.totp', 'is not', null),
          person('people.former_email', 'is', null),
        ]),
        person.exists(
          person
            .selectFrom('passkeys')
            .select('passkeys.id')
            .whereRef('passkeys.person_id', '=', 'people.id'),
        ),
      ]),
    )
    .execute()
}

/** An enabled owner, perhaps without a way to sign in. */
export async function anyOwnerOf(trx: Db, storeId: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select('people.id')
    .where('memberships.merchant_id', '=', storeId)
    .where('memberships.role', '=', 'owner')
    .where('people.enabled', '=', 1)
    .orderBy('memberships.created_at')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** True if each of the stores also has another owner. */
export async function isOwnedByOthers(
  trx: Db,
  storeIds: readonly string[],
  personId: string,
): Promise<boolean> {
  if (storeIds.length === 0) return true
  const owners = await ownersOf(trx, storeIds)
  const others = owners.filter(({ person_id }) => person_id !== personId)
  return storeIds.every((id) => others.some(({ merchant_id }) => merchant_id === id))
}

/** Serializes changes of a store's people. False if there is no such store. */
export async function lockStore(trx: Db, storeId: string): Promise<boolean> {
  const store = await trx
    .selectFrom('merchants')
    .select('id')
    .where('id', '=', storeId)
    .forUpdate()
    .executeTakeFirst()
  return store !== undefined
}

/** A store's people of one scope. */
export interface StaffOf {
  readonly storeId: string
  readonly scope: RoleScope
}

/** The table of the scope's roles. */
export function membershipsOf(scope: RoleScope) {
  return scope === 'sandbox' ? 'sandbox_memberships' : 'memberships'
}

/**
 * Serializes changes of these people. False if production has no such store, which the sandbox's
 * own people do not need.
 */
export async function lockStaff(trx: Db, { storeId, scope }: StaffOf): Promise<boolean> {
  if (scope === 'both') return await lockStore(trx, storeId)
  await trx
    .selectFrom('sandbox_memberships')
    .select('person_id')
    .where('merchant_id', '=', storeId)
    .orderBy('person_id')
    .forUpdate()
    .execute()
  return true
}

/** False for an operator, who is responsible for the act. */
export function isPerson(actor: Actor): boolean {
  return actor.startsWith(PERSON)
}

/**
 * True if an actor may change a store's people now, with their rows locked: the page checked it
 * only when the request arrived. A manager of a store also manages its sandbox.
 */
export async function mayManage(
  trx: Db,
  { storeId, scope }: StaffOf,
  actor: Actor,
): Promise<boolean> {
  if (!isPerson(actor)) return true
  const tables = scope === 'both' ? (['memberships'] as const) : BOTH_TABLES
  for (const table of tables) {
    const row = await trx
      .selectFrom(trx.dynamic.table(table).as('membership'))
      .innerJoin('people', 'people.id', 'membership.person_id')
      .select('people.id')
      .where('membership.merchant_id', '=', storeId)
      .where('membership.person_id', '=', actor.slice(PERSON.length))
      .where('membership.role', 'in', rolesThatMay('people:manage'))
      .where('people.enabled', '=', 1)
      .executeTakeFirst()
    if (row !== undefined) return true
  }
  return false
}

const BOTH_TABLES = ['memberships', 'sandbox_memberships'] as const
