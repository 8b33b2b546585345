// The owner of the demo store, who signs in by a link. The first link creates the owner, without
// credentials.
import { anyOwnerOf, lockStore } from '../log/owner-sql.js'
import { insertPerson } from './person-sql.js'
import type { Unit } from '../model/unit.js'

const DEMO_OWNER = { name: 'Demo owner', email: 'owner@demo-store.example' }

/**
 * The enabled owner who has been one for longest, or a new one. Undefined if that person is
 * disabled.
 */
export async function demoOwnerOf(
  unit: Unit,
  storeId: string,
): Promise<{ readonly id: string; readonly isNew: boolean } | undefined> {
  const { trx } = unit
  await lockStore(trx, storeId)
  const owner = await anyOwnerOf(trx, storeId)
  if (owner !== undefined) return { id: owner, isNew: false }
  const known = await trx
    .selectFrom('people')
    .select(['id', 'enabled'])
    .where('email', '=', DEMO_OWNER.email)
    .executeTakeFirst()
  if (known !== undefined) return known.enabled === 1 ? { id: known.id, isNew: true } : undefined
  const id = await insertPerson(unit, DEMO_OWNER)
  return id === undefined ? undefined : { id, isNew: true }
}

/** True if a person has neither a passkey nor a password with an authenticator. */
export async function isWithoutProof({ trx }: Pick<Unit, 'trx'>, personId: string) {
  const able = await trx
    .selectFrom('people')
    .select('id')
    .where('id', '=', personId)
    .where((person) =>
      person.or([
        person.and([person('password', 'is not', null), person('totp', 'is not', null)]),
        person.exists(
          person
            .selectFrom('passkeys')
            .select('passkeys.id')
            .whereRef('passkeys.person_id', '=', 'people.id'),
        ),
      ]),
    )
    .executeTakeFirst()
  return able === undefined
}
