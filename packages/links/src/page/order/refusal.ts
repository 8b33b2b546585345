import type { ErrorName, Failure } from '@cofre/contracts'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { PayResult, ShownLink } from '../../model/payment-page.js'
import type { Texts } from '../text/texts.js'
import { FIELD_NAMES, type FieldName, fieldOfProperty } from './payer-field.js'

export type ProblemName = keyof Texts['problems']

/** Why a form was refused: missing or wrong fields, and problems without a field. */
export interface Refusal {
  readonly fields: ReadonlyMap<FieldName, 'missing' | 'wrong'>
  readonly problems: readonly ProblemName[]
  readonly status: ContentfulStatusCode
  /** Seconds until the page itself sends the same form again. */
  readonly retryAfterS?: number
}

/** About an acquirer's time for a card. */
const CARDS_WAIT_S = 2

type Refused = Exclude<PayResult, { kind: 'try' } | { kind: 'not-payable' }>

/** The shopper's texts for a refusal. */
export function refusalOf(result: Refused, { methods }: Pick<ShownLink, 'methods'>): Refusal {
  switch (result.kind) {
    case 'invalid':
      return ofFailures(result.failures)
    case 'refused':
      return because(problemOf(result.name))
    case 'busy':
      return because('busy', 409)
    case 'not-cancelled':
      return because('not_cancelled', 409)
    case 'cards-paused':
      return because(pausedProblem(methods), 429)
    case 'cards-wait':
      return { ...because('cards_wait', 429), retryAfterS: CARDS_WAIT_S }
    case 'too-many-tries':
      return because('too_many_tries', 429)
    case 'too-many-open':
      return because('too_many_open', 429)
    case 'not-found':
    case 'unavailable':
      return because('unavailable', 503)
  }
}

function pausedProblem(methods: readonly string[]): ProblemName {
  if (methods.includes('pix')) return 'cards_paused_pix'
  return methods.length > 1 ? 'cards_paused' : 'only_cards_paused'
}

/** A refusal with one problem that belongs to no field. */
export function because(problem: ProblemName, status: ContentfulStatusCode = 422): Refusal {
  return { fields: new Map(), problems: [problem], status }
}

function ofFailures(failures: readonly Failure[]): Refusal {
  const wrong = new Map<FieldName, 'missing' | 'wrong'>()
  const problems = new Set<ProblemName>()
  for (const { name, property, constraint, cause } of failures) {
    const field = fieldOfProperty(property)
    if (field === undefined) problems.add(cause === 'price' ? 'price_changed' : problemOf(name))
    else wrong.set(field, constraint === 'required' ? 'missing' : 'wrong')
  }
  const fields = new Map(
    FIELD_NAMES.flatMap((name) => {
      const kind = wrong.get(name)
      return kind === undefined ? [] : [[name, kind] as const]
    }),
  )
  return { fields, problems: [...problems], status: 422 }
}

/** The shopper's problem for an error of the API. */
function problemOf(name: ErrorName): ProblemName {
  const isOfCard = name.startsWith('charge_#_payment_info')
  return PROBLEMS[name] ?? (isOfCard ? 'card_wrong' : 'method_unavailable')
}

const PROBLEMS: Readonly<Partial<Record<ErrorName, ProblemName>>> = {
  payment_exceed_limits: 'limit_exceeded',
  payer_blacklisted: 'payer_refused',
  payer_blacklisted_by_psp: 'payer_refused',
  'charge_#_amount_invalid': 'amount_not_accepted',
  'charge_#_payment_info_installments_missing': 'installments_wrong',
  'charge_#_payment_info_installments_invalid': 'installments_wrong',
  'charge_#_payment_info_token_missing': 'card_missing',
}
