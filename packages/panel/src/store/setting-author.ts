import type { SettingAuthor } from '@cofre/operator'
import type { PanelParts } from '../frame/panel-parts.js'
import { type Visit, isStillSignedIn } from '../frame/visit.js'

/** Who changes the store's settings on this visit. */
export function authorOf(parts: PanelParts, visit: Visit): SettingAuthor {
  const { access } = visit
  return {
    actor: access.kind === 'person' ? `person:${access.personId}` : 'panel',
    mayStill: () => isStillSignedIn(parts, visit),
  }
}
