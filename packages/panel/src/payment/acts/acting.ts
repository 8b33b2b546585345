import type { Access } from '@cofre/people'

/** Whoever has signed in with the store's secret. */
export const STORE_ACTOR = 'store'

/** Whom a refund or a block is kept with: as in the log of acts. */
export function actorOf(access: Access): string {
  return access.kind === 'person' ? `person:${access.personId}` : STORE_ACTOR
}
