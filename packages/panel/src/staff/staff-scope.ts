import { type Access, type Member, type MemberId, type RoleScope, isIn } from '@cofre/people'
import type { ConsolePeople } from '../visit/panel-parts.js'
import type { Visit } from '../visit/visit.js'

/**
 * The scope that a person manages: a role in the sandbox alone manages only the sandbox's people.
 */
export function scopeOf(access: Access): RoleScope {
  return access.kind === 'person' ? access.scope : 'sandbox'
}

/** The scopes of people on a page; the sandbox shows its own people besides the store's. */
export function scopesOf({ access, environment }: Visit): readonly RoleScope[] {
  if (scopeOf(access) === 'sandbox') return ['sandbox']
  return environment === 'sandbox' ? ['both', 'sandbox'] : ['both']
}

/** Secrets that a leaving person still knows, even after removal. */
export async function drawnSecrets(
  people: ConsolePeople,
  { storeId }: Visit,
  { id, scope }: ScopedMember,
) {
  const drawn = await people.acts.drawnSecrets(id)
  return drawn.filter((one) => one.storeId === storeId && isIn(scope, one.environment))
}

export interface ScopedMember extends Member {
  readonly scope: RoleScope
}

/** The store's people; in the sandbox also those of the sandbox alone. */
export async function staffOf(
  people: ConsolePeople,
  visit: Visit,
): Promise<readonly ScopedMember[]> {
  const staffs = await Promise.all(
    scopesOf(visit).map(async (scope) => {
      const members = await people.staff.members(visit.storeId, scope)
      return members.map((member) => ({ ...member, scope }))
    }),
  )
  return staffs.flat()
}

export async function findMember(
  people: ConsolePeople,
  visit: Visit,
): Promise<ScopedMember | undefined> {
  const personId = visit.c.req.param('id')
  return (await staffOf(people, visit)).find(({ id }) => id === personId)
}

export function memberIdOf({ storeId }: Visit, { id, scope }: ScopedMember): MemberId {
  return { storeId, personId: id, scope }
}
