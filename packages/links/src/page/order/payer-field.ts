import type { MethodKind } from '../frame/method.js'

/** What is asked of whoever pays, in the order of the form. */
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

/** What of the form only one way to pay asks for. */
const ASKED_OF: Readonly<Partial<Record<FieldName, MethodKind>>> = {
  'birth-date': 'card',
  phone: 'card',
  ...Object.fromEntries(ADDRESS_FIELDS.map((name) => [name, 'boleto'])),
}

/** The one kind of methods that asks for the field; undefined where all do. */
export function kindThatAsks(name: FieldName): MethodKind | undefined {
  return ASKED_OF[name]
}

/** The field behind a property of the API; undefined for what no field of the form holds. */
export function fieldOfProperty(property = ''): FieldName | undefined {
  return FIELD_OF_PROPERTY.get(property.replace(/^payer\.(?:address\.)?/, ''))
}

const FIELD_OF_PROPERTY: ReadonlyMap<string, FieldName> = new Map<string, FieldName>([
  ...FIELD_NAMES.map((name) => [name, name] as const),
  ['document.number', 'document'],
  ['document.type', 'document'],
  ['phone-number', 'phone'],
])

/** What may be left empty. */
export const OPTIONAL_FIELDS: readonly FieldName[] = ['complement', 'birth-date']
