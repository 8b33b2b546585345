import type { ActDetail, PageAct } from '@cofre/people'
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

/** Logs how an act ended. */
export type EndAct = (outcome: 'done' | 'refused', detail?: ActDetail) => Promise<void>

/** `by-people`: the package `people` logs it, in the unit of work that changes it. */
export interface AskedAct {
  readonly action: PageAct | 'by-people'
  readonly detail?: ActDetail
}

/**
 * Logs that a person has asked for an act, and returns what logs how it ended. Who has a store's
 * secret is no person.
 */
export async function actOf(
  parts: PanelParts,
  { c, access, environment, storeId }: Visit,
  { action, detail }: AskedAct,
): Promise<EndAct> {
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
    detail,
    address,
    browser,
  })
  return (outcome, found) => acts.end(id, outcome, found)
}
