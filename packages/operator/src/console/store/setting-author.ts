import type { SettingAuthor } from '../../model/store-settings.js'
import { type PanelParts, type Visit, isStillSignedIn } from '@cofre/panel/page'

/** The author of the settings that change on this visit. */
export function authorOf(parts: PanelParts, visit: Visit): SettingAuthor {
  const { access } = visit
  return {
    actor: access.kind === 'person' ? `person:${access.personId}` : 'panel',
    isStillAllowed: () => isStillSignedIn(parts, visit),
  }
}
