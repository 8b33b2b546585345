import { type Access, type Member, type MemberId, type RoleScope, isIn } from '@cofre/people'
import type { ConsolePeople } from '../frame/panel-parts.js'
import type { Visit } from '../frame/visit.js'

/** Whom somebody is among: who has a role in the sandbox alone manages its people alone. */
export function scopeOf(access: Access): RoleScope {
  return access.kind === 'person' ? access.scope : 'sandbox'
}

/** Whose people a page shows: the sandbox's own beside the store's. */
export function scopesOf({ access, environment }: Visit): readonly RoleScope[] {
  if (scopeOf(access) === 'sandbox') return ['sandbox']
  return environment === 'sandbox' ? ['both', 'sandbox'] : ['both']
}

/** What somebody who leaves goes on knowing: no removal takes it away. */
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

/** The store's people, and on the pages of the sandbox those of the sandbox alone. */
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

export function placeOf({ storeId }: Visit, { id, scope }: ScopedMember): MemberId {
  return { storeId, personId: id, scope }
}
