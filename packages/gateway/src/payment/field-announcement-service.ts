import { RoundFailedError } from '@cofre/work'
import type { Announcement } from '../model/merchant/field-announcement.js'
import type { GatewayDeps } from './gateway-deps.js'

const TOLD_AT_ONCE = 20

/**
 * Tells the vault the settings of card fields that it may not know. Several workers may tell the
 * same: the vault keeps the newest. What it has not acknowledged is told again.
 * @throws RoundFailedError when none was acknowledged: the job backs off, its outage is logged
 */
export async function tellFieldSettings(deps: GatewayDeps): Promise<void> {
  const due = await deps.fieldAnnouncements.due(TOLD_AT_ONCE)
  const told = await Promise.allSettled(due.map((settings) => tell(deps, settings)))
  const failed = told.filter((result) => result.status === 'rejected')
  const [first] = failed
  if (first !== undefined && failed.length === told.length) throw first.reason
  for (const { reason: error } of failed)
    deps.log.warn({ error: error as unknown }, 'a store’s card fields were not told')
}

async function tell(
  { cards, environment, fieldAnnouncements }: GatewayDeps,
  settings: Announcement,
): Promise<void> {
  let kept: number
  try {
    kept = await cards.setFieldSettings({ environment, ...settings })
  } catch (error) {
    const { storeId } = settings
    await fieldAnnouncements.putBehind(settings)
    throw new RoundFailedError(`the vault was not told of the card fields of ${storeId}`, error)
  }
  await fieldAnnouncements.acknowledged(settings, kept)
}
