import { maskCardNumbers } from '@cofre/contracts'
import { type ActDetail, type ActName, PEOPLE_ACTS } from '@cofre/people'
import type { PanelParts } from './panel-parts.js'
import type { PanelContext, Visit } from './visit.js'

const BROWSER_LENGTH_MAX = 200
const TARGET_LENGTH_MAX = 64

/** From where a request comes, for the log of acts. */
export function originOf(c: PanelContext, parts: PanelParts) {
  const sent = maskCardNumbers(c.req.header('User-Agent') ?? '')
  const browser = sent.slice(0, BROWSER_LENGTH_MAX)
  const address = parts.addressOf(c.req.raw, c.env as object)
  const isOfNamedNetwork = parts.isNamedNetwork?.(address)
  return { address, browser, visitId: c.var.visitId, isOfNamedNetwork }
}

/** Logs how an act ended. */
export type EndAct = (end: ActEnd, detail?: ActDetail) => Promise<void>

/** How an act ended. */
export type ActEnd = 'done' | 'refused'

export interface AskedAct {
  readonly action: ActName
  readonly detail?: ActDetail
}

/**
 * Logs that a person has asked for an act, and returns what logs how it ended. Who has a store's
 * secret is no person. What the package `people` logs in the unit of work that changes it is logged
 * by it alone.
 */
export async function actOf(parts: PanelParts, visit: Visit, asked: AskedAct): Promise<EndAct> {
  const isByPeople = PEOPLE_ACTS.some((name) => name === asked.action)
  return isByPeople ? () => Promise.resolve() : await logAsked(parts, visit, asked)
}

/** Logs what a person has tried who may not: it reaches nothing that would log it. */
export async function logRefused(parts: PanelParts, visit: Visit, asked: AskedAct): Promise<void> {
  const end = await logAsked(parts, visit, asked)
  await end('refused', { why: 'role' })
}

async function logAsked(
  parts: PanelParts,
  { c, access, environment, storeId }: Visit,
  { action, detail }: AskedAct,
): Promise<EndAct> {
  const acts = parts.people?.acts
  if (acts === undefined || access.kind !== 'person') return () => Promise.resolve()
  const { address, browser } = originOf(c, parts)
  const id = await acts.record({
    environment,
    storeId,
    actor: `person:${access.personId}`,
    action,
    // A payment's code, or a person's id.
    target: (c.req.param('code') ?? c.req.param('id'))?.slice(0, TARGET_LENGTH_MAX),
    outcome: 'asked',
    detail,
    address,
    browser,
  })
  return (outcome, found) => acts.end(id, outcome, found)
}
