import { maskCardNumbers } from '@cofre/contracts'
import { type ActDetail, type ActName, PEOPLE_ACTS } from '@cofre/people'
import type { PanelParts } from '../visit/panel-parts.js'
import type { PanelContext, Visit } from '../visit/visit.js'

const BROWSER_LENGTH_MAX = 200
const TARGET_LENGTH_MAX = 64

/** The origin of a request, for the log of acts. */
export function originOf(c: PanelContext, parts: PanelParts) {
  const sent = maskCardNumbers(c.req.header('User-Agent') ?? '')
  const browser = sent.slice(0, BROWSER_LENGTH_MAX)
  const address = parts.addressOf(c.req.raw, c.env as object)
  const isOfNamedNetwork = parts.isNamedNetwork?.(address)
  return { address, browser, visitId: c.var.visitId, isOfNamedNetwork }
}

/** Logs the end of an act. */
export type EndAct = (end: ActEnd, detail?: ActDetail) => Promise<void>

export type ActEnd = 'done' | 'refused'

export interface AttemptedAct {
  readonly action: ActName
  readonly detail?: ActDetail
}

/**
 * Logs that a person has requested an act; returns the function that logs its end. A session opened
 * with a store's secret logs nothing, as no person acts. The package `people` logs its own acts in
 * the unit of work that carries them out.
 */
export async function actOf(parts: PanelParts, visit: Visit, asked: AttemptedAct): Promise<EndAct> {
  const isByPeople = PEOPLE_ACTS.some((name) => name === asked.action)
  return isByPeople ? () => Promise.resolve() : await logAttempt(parts, visit, asked)
}

/** Logs an attempt without permission, which no other code would log. */
export async function logRefused(
  parts: PanelParts,
  visit: Visit,
  asked: AttemptedAct,
): Promise<void> {
  const end = await logAttempt(parts, visit, asked)
  await end('refused', { why: 'role' })
}

async function logAttempt(
  parts: PanelParts,
  { c, access, environment, storeId }: Visit,
  { action, detail }: AttemptedAct,
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
