import { type Expression, type SqlBool, expressionBuilder } from 'kysely'
import type { StaffOf } from '../log/owner-sql.js'
import type { LinkPurpose } from '../model/people.js'
import type { ConsoleLinkRow, PeopleTables } from '../model/people-tables.js'
import { type RoleScope, rolesThatMay } from '../model/role.js'
import type { Db } from '../model/unit.js'

/**
 * True if a link can be used: once, in time, and only while its maker may still make it. An
 * operator always may; an owner, while owning the store. A first owner's link is valid until the
 * store has one, and a link to credentials while its person is enabled.
 */
export function isOpenLink(nowMs: number): Expression<SqlBool> {
  const link = expressionBuilder<PeopleTables, 'console_links'>()
  return link.and([
    link('console_links.used_at', 'is', null),
    link('console_links.expires_at', '>', nowMs),
    link.or([
      link.and([link('purpose', 'in', ['reset', 'password']), link.exists(enabledPerson())]),
      link.and([link('purpose', '=', 'owner'), link.not(link.exists(anyOwner()))]),
      // Made only on this machine, and accepted only for the demo store: see isHonoured.
      link('purpose', '=', 'demo'),
      link.and([
        link('purpose', 'in', ['invite', 'sandbox-invite']),
        link.or([
          link('console_links.created_by', 'not like', 'person:%'),
          link.exists(creatorWhoManages()),
          link.and([
            link('purpose', '=', 'sandbox-invite'),
            link.exists(creatorWhoManagesSandbox()),
          ]),
        ]),
      ]),
    ]),
  ])
}

function enabledPerson() {
  return expressionBuilder<PeopleTables, 'console_links'>()
    .selectFrom('people as holder')
    .select('holder.id')
    .whereRef('holder.id', '=', 'console_links.person_id')
    .where('holder.enabled', '=', 1)
}

function anyOwner() {
  return expressionBuilder<PeopleTables, 'console_links'>()
    .selectFrom('memberships as owned')
    .innerJoin('people as owner', 'owner.id', 'owned.person_id')
    .select('owner.id')
    .whereRef('owned.merchant_id', '=', 'console_links.merchant_id')
    .where('owned.role', '=', 'owner')
    .where('owner.enabled', '=', 1)
}

function creatorWhoManages() {
  return expressionBuilder<PeopleTables, 'console_links'>()
    .selectFrom('memberships as managed')
    .innerJoin('people as maker', 'maker.id', 'managed.person_id')
    .innerJoin('merchants as store', 'store.id', 'managed.merchant_id')
    .select('maker.id')
    .whereRef('managed.merchant_id', '=', 'console_links.merchant_id')
    .where('managed.role', 'in', rolesThatMay('people:manage'))
    .where('maker.enabled', '=', 1)
    .where('store.enabled', '=', 1)
    .where((of) =>
      of(of(of.val('person:'), '||', of.ref('maker.id')), '=', of.ref('console_links.created_by')),
    )
}

function creatorWhoManagesSandbox() {
  return expressionBuilder<PeopleTables, 'console_links'>()
    .selectFrom('sandbox_memberships as managed')
    .innerJoin('people as maker', 'maker.id', 'managed.person_id')
    .select('maker.id')
    .whereRef('managed.merchant_id', '=', 'console_links.merchant_id')
    .where('managed.role', 'in', rolesThatMay('people:manage'))
    .where('maker.enabled', '=', 1)
    .where((of) =>
      of(of(of.val('person:'), '||', of.ref('maker.id')), '=', of.ref('console_links.created_by')),
    )
}

/** The purposes of links that give roles of a scope. */
export function purposesOf(scope: RoleScope): readonly LinkPurpose[] {
  return scope === 'sandbox' ? ['sandbox-invite'] : ['owner', 'invite']
}

/** The scope of the role that a link gives. */
export function scopeOf({ purpose }: Pick<ConsoleLinkRow, 'purpose'>): RoleScope {
  return purpose === 'sandbox-invite' ? 'sandbox' : 'both'
}

/** The links of a person. */
interface LinksOf {
  readonly personId: string
  readonly email: string
  /** Only of one store; undefined for all stores, and for links to credentials too. */
  readonly of?: StaffOf
}

/** Ends the links that a person made or could accept: a person who returns later gets new ones. */
export async function endLinksOf(trx: Db, { personId, email, of }: LinksOf): Promise<void> {
  await trx
    .deleteFrom('console_links')
    .where('used_at', 'is', null)
    .$if(of !== undefined, (links) =>
      links
        .where('merchant_id', '=', of?.storeId ?? '')
        .where('purpose', 'in', purposesOf(of?.scope ?? 'both')),
    )
    .where((link) =>
      link.or([
        link('created_by', '=', `person:${personId}`),
        link('email', '=', email),
        link('person_id', '=', personId),
      ]),
    )
    .execute()
}

/** Ends a person's invitations: a stranger with the person's credentials may have made them. */
export async function endInvitationsBy(trx: Db, personId: string): Promise<void> {
  const created_by = `person:${personId}` as const
  await endUnused(trx, { purpose: 'invite', created_by })
  await endUnused(trx, { purpose: 'sandbox-invite', created_by })
}

/** Ends links that are still usable. */
export async function endUnused(
  trx: Db,
  which: Partial<
    Pick<ConsoleLinkRow, 'purpose' | 'merchant_id' | 'person_id' | 'email' | 'created_by'>
  >,
): Promise<void> {
  await trx
    .deleteFrom('console_links')
    .where((link) => link.and(which))
    .where('used_at', 'is', null)
    .execute()
}
