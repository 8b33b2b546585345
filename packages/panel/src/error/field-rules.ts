import type { ErrorName } from '@cofre/contracts'
import { payerAddressRules, shippingAddressRules } from './field-rules-address.js'
import { chargeRules } from './field-rules-charge.js'
import type { FieldRule } from './field-rule.js'
import { payerRules } from './field-rules-payer.js'
import { transactionRules } from './field-rules-transaction.js'
import type { OtherErrorName } from './other-explanations.js'

/** Errors that tell whether a field is missing or invalid come in pairs of names; this is what a pair has in common. */
export type FieldErrorKey = KeyOf<Exclude<ErrorName, OtherErrorName>>

type KeyOf<Name extends ErrorName> = Name extends `${infer Key}_missing`
  ? Key
  : Name extends `${infer Key}_invalid`
    ? Key
    : never

export const fieldRules: Readonly<Record<FieldErrorKey, FieldRule>> = {
  ...transactionRules,
  ...chargeRules,
  ...payerRules,
  ...payerAddressRules,
  ...shippingAddressRules,
}
