import type { MerchantApiError, WireError } from '@cofre/merchant'
import type { CheckoutProblem } from './checkout-problem.js'
import { FIELD_NAMES, type FieldName } from './field-name.js'

/** What to tell the customer about a refused request: fields to correct, and what no field can correct. */
export interface Refusal {
  readonly fields: readonly FieldName[]
  readonly problems: readonly CheckoutProblem[]
}

/** Fields of the form by the key text of their errors (specification, section 7.4). */
const FIELD_KEYS: Readonly<Record<FieldName, RegExp>> = {
  name: /^payer_name_/,
  email: /^payer_email_/,
  cpf: /^payer_document_/,
  'birth-date': /^payer_birth_date_/,
  phone: /^payer_phone_number_/,
  'zip-code': /^(payer|shipping)_address_zip_code_/,
  street: /^(payer|shipping)_address_street_/,
  number: /^(payer|shipping)_address_number_/,
  complement: /^(payer|shipping)_address_complement_/,
  district: /^(payer|shipping)_address_district_/,
  city: /^(payer|shipping)_address_city_/,
  state: /^(payer|shipping)_address_state_/,
}

/** Problems by code (specification, section 7.4); every other code is the shop's own mistake and stays in its log. */
const PROBLEM_CODES: ReadonlyMap<number, CheckoutProblem> = new Map([
  [210204, 'amount_not_accepted'],
  [210213, 'installments_unavailable'],
  [210214, 'installments_unavailable'],
  [210210, 'method_unavailable'],
  [210215, 'card_missing'],
  [210216, 'card_not_accepted'],
  [210219, 'saved_card_unusable'],
  [210220, 'saved_card_unusable'],
  [210601, 'method_unavailable'],
  [210602, 'limit_exceeded'],
  [210603, 'payer_refused'],
  [210604, 'payer_refused'],
  [210605, 'saved_card_unusable'],
])

export function explainRefusal({ errors }: MerchantApiError): Refusal {
  const fields = FIELD_NAMES.filter((name) =>
    errors.some(({ description }) => FIELD_KEYS[name].test(description)),
  )
  const problems = errors.flatMap((error) => problemOf(error) ?? [])
  if (fields.length + problems.length === 0) return { fields, problems: ['try_later'] }
  return { fields, problems: [...new Set(problems)] }
}

function problemOf({ code, description }: WireError): CheckoutProblem | undefined {
  const isOfField = Object.values(FIELD_KEYS).some((key) => key.test(description))
  return isOfField ? undefined : (PROBLEM_CODES.get(code) ?? 'try_later')
}
