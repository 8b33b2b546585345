import type { CardService, Environment, Log } from '@cofre/contracts'
import { doEach } from '@cofre/work'
import type { Announcement } from '../model/merchant/field-announcement.js'
import type { FieldAnnouncements } from './ports.js'

const ANNOUNCED_AT_ONCE = 20

export interface FieldAnnouncementDeps {
  readonly environment: Environment
  readonly log: Log
  readonly cards: CardService
  readonly fieldAnnouncements: FieldAnnouncements
}

/**
 * Sends the vault the settings of card fields that it may not have, until it acknowledges them.
 * @throws RoundFailedError if none was acknowledged: the job backs off, and its outage is logged
 */
export async function announceFieldSettings(deps: FieldAnnouncementDeps): Promise<unknown> {
  const claim = {
    limit: ANNOUNCED_AT_ONCE,
    unreadable(error: unknown, store: string) {
      deps.log.error({ store, error }, 'the settings of card fields could not be read')
    },
  }
  return await doEach(await deps.fieldAnnouncements.claim(claim), {
    work: (settings) => announce(deps, settings),
    name: ({ storeId }) => `the card fields of ${storeId}`,
    logFailure({ storeId: store }, error) {
      deps.log.warn({ store, error }, 'a store’s card fields were not sent to the vault')
    },
  })
}

async function announce(
  { cards, environment, fieldAnnouncements }: FieldAnnouncementDeps,
  settings: Announcement,
): Promise<void> {
  const kept = await cards.setFieldSettings({ environment, ...settings })
  await fieldAnnouncements.acknowledged(settings, kept)
}
