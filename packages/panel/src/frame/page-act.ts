import type { PageAct } from '@cofre/people'
import { TEXTS } from '../text/texts.js'
import type { Flash } from './flash.js'
import type { PanelParts } from './panel-parts.js'
import type { PanelContext, Visit } from './visit.js'

const BROWSER_LENGTH_MAX = 200

/** From where a request comes, for the log of acts. */
export function originOf(c: PanelContext, parts: PanelParts) {
  const browser = (c.req.header('User-Agent') ?? '').slice(0, BROWSER_LENGTH_MAX)
  return {
    address: parts.addressOf(c.req.raw, c.env as object),
    browser,
    visitId: c.var.visitId,
  }
}

/**
 * Logs that a person has asked for an act, and returns what logs how it ended. Who has a store's
 * secret is no person.
 */
export async function actOf(
  parts: PanelParts,
  { c, access, environment, storeId }: Visit,
  action: PageAct | 'by-people',
): Promise<(flash: Flash) => Promise<void>> {
  const acts = parts.people?.acts
  if (acts === undefined || access.kind !== 'person' || action === 'by-people')
    return () => Promise.resolve()
  const { address, browser } = originOf(c, parts)
  const id = await acts.record({
    environment,
    storeId,
    actor: `person:${access.personId}`,
    action,
    target: c.req.param('code'),
    outcome: 'asked',
    address,
    browser,
  })
  return (flash) => acts.end(id, Object.hasOwn(TEXTS.en.refused, flash) ? 'refused' : 'done')
}
