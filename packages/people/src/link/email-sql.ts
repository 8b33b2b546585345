import { insertAct } from '../log/acts-log-sql.js'
import { emailOf } from '../model/email.js'
import { forgetBrowsersOf } from '../sign-in/lockout-sql.js'
import { endUnused } from '../sign-in/open-link-sql.js'
import { ownersOf } from '../log/owner-sql.js'
import type { By, Origin, RenameResult, MovedEmail } from '../model/people.js'
import type { PersonRow } from '../model/people-tables.js'
import { endSessionsOf } from '../sign-in/session-sql.js'
import { OWN_ACT, actIn, originOf } from '../sign-in/sign-in-sql.js'
import { type PeopleDeps, type Unit, inUnit } from '../model/unit.js'

/**
 * Records that a person used a link that was sent to the e-mail, or that an operator made for it.
 */
export async function proveEmail({ trx, nowMs }: Unit, personId: string): Promise<void> {
  await trx
    .updateTable('people')
    .set({ email_proved_at: nowMs })
    .where('id', '=', personId)
    .where('email_proved_at', 'is', null)
    .execute()
}

/**
 * Removes an e-mail from a person who never proved it, and who can then no longer sign in with it.
 * The person keeps the roles, and its id replaces the e-mail until an operator sets another one.
 */
export async function freeEmail({ trx }: Unit, email: string): Promise<PersonRow | undefined> {
  const people = trx.selectFrom('people').selectAll().where('email', '=', email)
  const holder = await people.where('email_proved_at', 'is', null).forUpdate().executeTakeFirst()
  if (holder === undefined) return undefined
  await trx
    .updateTable('people')
    .set({ email: holder.id, former_email: email })
    .where('id', '=', holder.id)
    .execute()
  await endSessionsOf(trx, holder.id)
  await forgetBrowsersOf(trx, holder.id)
  await endUnused(trx, { person_id: holder.id })
  return holder
}

/**
 * Records the lost e-mail in the log of each store of the person. Returns the owners to be
 * notified.
 */
export async function recordEmailLost(
  unit: Unit,
  { id, email }: PersonRow,
  { by, from }: { readonly by: string; readonly from: Origin },
): Promise<MovedEmail> {
  const { trx } = unit
  const memberships = trx.selectFrom('memberships').select('merchant_id')
  const rows = await memberships.where('person_id', '=', id).orderBy('merchant_id').execute()
  const storeIds = rows.map(({ merchant_id }) => merchant_id)
  const sandboxes = trx.selectFrom('sandbox_memberships').select('merchant_id')
  const inSandbox = await sandboxes.where('person_id', '=', id).orderBy('merchant_id').execute()
  const own = storeIds.map((storeId) => ({ ...OWN_ACT, storeId }))
  const alone = inSandbox.map((row) => ({ ...actIn('sandbox'), storeId: row.merchant_id }))
  const places = [...own, ...alone]
  const act = { ...originOf(from), actor: `person:${by}`, target: id, detail: { email } } as const
  for (const place of places.length === 0 ? [OWN_ACT] : places)
    await insertAct(unit, { ...act, ...place, action: 'email-lost', outcome: 'done' })
  const owners = storeIds.length === 0 ? [] : await ownersOf(trx, storeIds)
  return {
    email,
    owners: owners
      .filter(({ person_id, former_email }) => person_id !== id && former_email === null)
      .map((owner) => ({ storeId: owner.merchant_id, email: owner.email })),
  }
}

/** An operator, who is responsible for it, gives a person another e-mail. */
export async function rename(
  deps: PeopleDeps,
  { person: text, email: typed }: { readonly person: string; readonly email: string },
  { actor, address, browser }: By,
): Promise<RenameResult> {
  const email = emailOf(typed)
  if (email === undefined) return 'bad-email'
  return await inUnit(deps, async (unit) => {
    const { trx, nowMs } = unit
    const person = await trx
      .selectFrom('people')
      .selectAll()
      .where((of) => of.or([of('id', '=', text), of('email', '=', emailOf(text) ?? '')]))
      .forUpdate()
      .executeTakeFirst()
    if (person === undefined) return 'not-found'
    const holder = await trx
      .selectFrom('people')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst()
    if (holder !== undefined && holder.id !== person.id) return 'email-taken'
    await trx
      .updateTable('people')
      .set({ email, former_email: null, email_proved_at: nowMs })
      .where('id', '=', person.id)
      .execute()
    // They were for the holder of the former e-mail.
    await endUnused(trx, { person_id: person.id })
    const detail = { emailBefore: person.former_email ?? person.email, emailAfter: email }
    const act = { ...OWN_ACT, actor, address, browser, target: person.id, detail } as const
    await insertAct(unit, { ...act, action: 'email-changed', outcome: 'done' })
    return 'done'
  })
}
