import type { Actor } from './act.js'
import { rolesThatMay } from './role.js'
import type { Db } from './unit.js'

const PERSON = 'person:'

/** The enabled people who own these stores and have something to sign in with. */
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

/** An enabled owner, who may have nothing to sign in with. */
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

/** Whether each of the stores is owned by somebody else than the person. */
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

/** Whoever changes a store's people takes turns. Whether there is such a store. */
export async function lockStore(trx: Db, storeId: string): Promise<boolean> {
  const store = await trx
    .selectFrom('merchants')
    .select('id')
    .where('id', '=', storeId)
    .forUpdate()
    .executeTakeFirst()
  return store !== undefined
}

/** No operator, who answers for what it does. */
export function isPerson(actor: Actor): boolean {
  return actor.startsWith(PERSON)
}

/**
 * Whether an actor may change a store's people at this moment, the store being locked: a page has
 * judged it when the request came.
 */
export async function mayManage(trx: Db, storeId: string, actor: Actor): Promise<boolean> {
  if (!isPerson(actor)) return true
  const row = await trx
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select('people.id')
    .where('memberships.merchant_id', '=', storeId)
    .where('memberships.person_id', '=', actor.slice(PERSON.length))
    .where('memberships.role', 'in', rolesThatMay('people:manage'))
    .where('people.enabled', '=', 1)
    .executeTakeFirst()
  return row !== undefined
}
