import type { MethodKind } from '../frame/method.js'

/** The payer's fields, in the order of the form. */
export const CONTACT_FIELDS = ['name', 'email', 'document', 'birth-date', 'phone'] as const
export const ADDRESS_FIELDS = [
  'zip-code',
  'street',
  'number',
  'complement',
  'district',
  'city',
  'state',
] as const
export const FIELD_NAMES = [...CONTACT_FIELDS, ...ADDRESS_FIELDS] as const
export type FieldName = (typeof FIELD_NAMES)[number]

/** The fields that only one kind of method requires. */
const METHOD_OF_FIELD: Readonly<Partial<Record<FieldName, MethodKind>>> = {
  'birth-date': 'card',
  phone: 'card',
  ...Object.fromEntries(ADDRESS_FIELDS.map((name) => [name, 'boleto'])),
}

/** The only kind of method that requires the field; undefined if all do. */
export function methodOfField(name: FieldName): MethodKind | undefined {
  return METHOD_OF_FIELD[name]
}

/** The field of an API property; undefined if no field of the form holds it. */
export function fieldOfProperty(property = ''): FieldName | undefined {
  return FIELD_OF_PROPERTY.get(property.replace(/^payer\.(?:address\.)?/, ''))
}

const FIELD_OF_PROPERTY: ReadonlyMap<string, FieldName> = new Map<string, FieldName>([
  ...FIELD_NAMES.map((name) => [name, name] as const),
  ['document.number', 'document'],
  ['document.type', 'document'],
  ['phone-number', 'phone'],
])

/** The fields that may stay empty. */
export const OPTIONAL_FIELDS: readonly FieldName[] = ['complement', 'birth-date']
