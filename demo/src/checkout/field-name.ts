/** Fields of the checkout form, by the name they are posted under. Card inputs are not among them: they have no name. */
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

type ContactField = (typeof CONTACT_FIELDS)[number]
type AddressField = (typeof ADDRESS_FIELDS)[number]
export type FieldName = ContactField | AddressField

export const FIELD_NAMES: readonly FieldName[] = [...CONTACT_FIELDS, ...ADDRESS_FIELDS]

/** What the customer typed. */
export type FieldValues = Readonly<Record<FieldName, string>>
