import type { MerchantApiError, WireError } from '@cofre/merchant'
import { ADDRESS_FIELDS, FIELD_NAMES, type FieldName } from '../model/payer.js'
import type { Texts } from '../texts/texts.js'

/** Reason of a refusal that no field of the form caused. Nothing was charged. */
export type CheckoutProblem = keyof Texts['checkout']['problems']

/**
 * A refused request, as the customer reads it: fields to correct, and problems that no field can
 * correct.
 */
export interface Refusal {
  readonly fields: readonly FieldName[]
  readonly problems: readonly CheckoutProblem[]
}

/** The API's names of fields that have another name here. */
const WIRE_NAMES: Readonly<Partial<Record<FieldName, string>>> = {
  cpf: 'document',
  phone: 'phone_number',
}

/**
 * Problems by code (specification, section 7.4); every other code is the shop's own fault and is
 * only logged.
 */
const PROBLEM_OF_CODE: ReadonlyMap<number, CheckoutProblem> = new Map([
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
  [90404, 'method_unavailable'],
  [90402, 'security_code_refused'],
])

export function explainRefusal({ errors }: MerchantApiError): Refusal {
  const fields = FIELD_NAMES.filter((name) => errors.some((error) => isAbout(error, name)))
  const problems = errors
    .filter((error) => !fields.some((name) => isAbout(error, name)))
    .map(({ code }) => PROBLEM_OF_CODE.get(code) ?? 'try_later')
  if (fields.length + problems.length === 0) return { fields, problems: ['try_later'] }
  return { fields, problems: [...new Set(problems)] }
}

/** Descriptions begin with the field's path: `payer_address_zip_code_missing`. */
function isAbout({ description }: WireError, name: FieldName): boolean {
  const path = `${WIRE_NAMES[name] ?? name.replaceAll('-', '_')}_`
  const isOfAddress = ADDRESS_FIELDS.some((field) => field === name)
  const owners = isOfAddress ? ['payer_address_', 'shipping_address_'] : ['payer_']
  return owners.some((owner) => description.startsWith(owner + path))
}
