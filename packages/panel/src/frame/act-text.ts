import { minorUnits } from '@cofre/contracts'
import { fill } from '@cofre/pages'
import type { Access, Act, ActName, Who } from '@cofre/people'
import { formatMoney } from '../text/format.js'
import { TEXTS } from '../text/texts.js'
import type { View } from './visit.js'

/** Whoever has signed in with the store's secret. */
const STORE_ACTOR = 'store'

/** Whom an act is kept with, beside the payment, the file or the link. */
export function actorOf(access: Access): string {
  return access.kind === 'person' ? `person:${access.personId}` : STORE_ACTOR
}

/** Every act by its name. */
export function actNames(language: View['language']): Readonly<Record<ActName, string>> {
  return TEXTS[language].actNames
}

export function actNameOf(action: ActName, { language }: View): string {
  return actNames(language)[action]
}

/** A person as the log has it: `Ana (ana@shop.example)`. */
export function actorText({ actor, actorName, actorEmail }: Who, { texts }: View): string {
  if (actorName !== undefined)
    return actorEmail === undefined ? actorName : `${actorName} (${actorEmail})`
  if (actor === STORE_ACTOR) return texts.actors.storeSecret
  if (actor === 'start') return texts.actors.start
  const [kind = '', id] = actor.split(':')
  return kind === 'operator' && id !== undefined ? fill(texts.actors.operator, { name: id }) : actor
}

export function outcomeOf({ outcome }: Act, { texts }: View): string {
  return texts.actOutcomes[outcome]
}

/** What the log has beside it: `amount: R$ 12,50, reason: duplicate`. */
export function detailOf({ detail }: Act, view: View): string {
  const { details } = view.texts.acts
  const names: Readonly<Record<string, string>> = details
  return Object.entries(detail)
    .map(([key, value]) => `${names[key] ?? key}: ${valueText(key, value, view)}`)
    .join(', ')
}

const ROLE_DETAILS: readonly string[] = ['role', 'from', 'to']

function textOf(texts: Readonly<Record<string, string>>, value: string | number): string {
  return texts[value] ?? String(value)
}

function valueText(key: string, value: string | number | boolean, view: View): string {
  const { texts, language } = view
  if (key === 'amountMinor') return formatMoney(minorUnits(Number(value)), language)
  if (typeof value === 'boolean') return value ? texts.acts.yes : texts.acts.no
  if (key === 'reason') return textOf(texts.refundForm.reasons, value)
  return ROLE_DETAILS.includes(key) ? textOf(texts.roles, value) : String(value)
}
