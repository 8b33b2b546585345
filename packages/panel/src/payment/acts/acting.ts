import type { Access } from '@cofre/people'
import { STORE_ACTOR } from '../../frame/act-text.js'

/** Whom a refund or a block is kept with: as in the log of acts. */
export function actorOf(access: Access): string {
  return access.kind === 'person' ? `person:${access.personId}` : STORE_ACTOR
}
