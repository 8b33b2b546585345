/**
 * Payer fields, by the name they are posted under. Card inputs have no name, so they are never
 * posted.
 */
export const CONTACT_FIELDS = ['name', 'email', 'cpf', 'birth-date', 'phone'] as const
export const ADDRESS_FIELDS = [
  'zip-code',
  'street',
  'number',
  'complement',
  'district',
  'city',
  'state',
] as const

export type FieldName = (typeof CONTACT_FIELDS | typeof ADDRESS_FIELDS)[number]
export const FIELD_NAMES: readonly FieldName[] = [...CONTACT_FIELDS, ...ADDRESS_FIELDS]
export const OPTIONAL_FIELDS: readonly FieldName[] = ['complement']

/** The customer's input, by field; a missing field is empty. */
export type FieldValues = ReadonlyMap<FieldName, string>
