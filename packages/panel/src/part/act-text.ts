import { minorUnits, transactionLanguageSchema } from '@cofre/contracts'
import { fill } from '@cofre/pages'
import type { Access, Act, ActDetail, ActName, NamedActor } from '@cofre/people'
import { formatLanguage, formatMoney } from '../visit/format.js'
import type { AccountNames } from './account-names.js'
import type { View } from '../visit/visit.js'
import { FRAME_TEXTS } from '../visit/texts.js'

/** The actor of a session opened with the store's secret. */
const STORE_ACTOR = 'store'

/** The actor, as stored with an act on a payment, a file or a link. */
export function actorOf(access: Access): string {
  return access.kind === 'person' ? `person:${access.personId}` : STORE_ACTOR
}

export function actNames(language: View['language']): Readonly<Record<ActName, string>> {
  return FRAME_TEXTS[language].actNames
}

export function actNameOf(action: ActName, { language }: View): string {
  return actNames(language)[action]
}

/** A person for the log of acts: `Ana (ana@shop.example)`. */
export function actorText(
  { actor, actorName, actorEmail }: NamedActor,
  { language }: View,
): string {
  if (actorName !== undefined)
    return actorEmail === undefined ? actorName : `${actorName} (${actorEmail})`
  if (actor === STORE_ACTOR) return FRAME_TEXTS[language].actors.storeSecret
  if (actor === 'start') return FRAME_TEXTS[language].actors.start
  const [kind = '', id] = actor.split(':')
  const { operator, operatorKey } = FRAME_TEXTS[language].actors
  if (id === undefined) return actor
  if (kind === 'operator-key') return fill(operatorKey, { name: id })
  return kind === 'operator' ? fill(operator, { name: id }) : actor
}

export function outcomeOf({ outcome }: Act, { language }: View): string {
  return FRAME_TEXTS[language].actOutcomes[outcome]
}

/** One detail of an act; `values`: the value, or the values before and after. */
interface ShownDetail {
  readonly name: string
  readonly values: readonly string[]
}

/**
 * The details of an act.
 * @param accounts - If absent, an account is shown by its id.
 */
export function detailsOf(
  { detail }: Act,
  view: View,
  accounts?: AccountNames,
): readonly ShownDetail[] {
  const names: Readonly<Record<string, string>> = FRAME_TEXTS[view.language].acts.details
  return Object.entries(detail)
    .filter(([key, value]) => value !== '' && !key.endsWith(BEFORE))
    .map(([key, value]) => {
      const before = detail[key + BEFORE]
      const text = (one: ActDetail[string]): string =>
        key === 'account' && accounts !== undefined
          ? accounts.of(String(one))
          : valueText(key, one, view)
      return {
        name: names[key] ?? key,
        values: before === undefined ? [text(value)] : [text(before), text(value)],
      }
    })
}

/** The details on one line: `amount: R$ 12,50, reason: duplicate`. */
export function detailOf(act: Act, view: View): string {
  return detailsOf(act, view)
    .map(({ name, values }) => `${name}: ${values.join(CHANGE)}`)
    .join(', ')
}

/** Separates the values before and after. */
export const CHANGE = ' → '

/** Suffix of the detail with the previous value. Typed names may contain an arrow. */
const BEFORE = ':before'

export function changeDetail(name: string, from: string, to: string): ActDetail {
  return { [name]: to, [name + BEFORE]: from }
}

/** Default limits, alone or followed by the number in force. */
const USUAL = 'usual'

const ROLE_DETAILS: readonly string[] = ['role', 'from', 'to']

function textFor(texts: Readonly<Record<string, string>>, value: string | number): string {
  return texts[value] ?? String(value)
}

function languageText(tag: string, language: View['language']): string {
  const { data } = transactionLanguageSchema.safeParse(tag)
  return data === undefined ? tag : formatLanguage(data, language)
}

function limitText(text: string, usual: string): string {
  return text.startsWith(USUAL) ? usual + text.slice(USUAL.length) : text
}

function valueText(key: string, value: string | number | boolean, view: View): string {
  const { texts, language } = view
  if (key === 'amountMinor') return formatMoney(minorUnits(Number(value)), language)
  if (typeof value === 'boolean')
    return value ? FRAME_TEXTS[language].acts.yes : FRAME_TEXTS[language].acts.no
  if (key === 'reason') return textFor(FRAME_TEXTS[language].refundReasons, value)
  const names: Readonly<Record<string, Readonly<Record<string, string>>>> =
    FRAME_TEXTS[language].acts.values
  const values = names[key]
  for (const page of view.pages) {
    const named = page.values?.[key]?.(String(value), language)
    if (named !== undefined) return named
  }
  if (key === 'language') return languageText(String(value), language)
  if (key.endsWith('Declines')) return limitText(String(value), FRAME_TEXTS[language].acts.usual)
  if (values !== undefined)
    return String(value)
      .split(' ')
      .map((one) => textFor(values, one))
      .join(key === 'settings' ? ', ' : ' ')
  return ROLE_DETAILS.includes(key) ? textFor(texts.roles, value) : String(value)
}
