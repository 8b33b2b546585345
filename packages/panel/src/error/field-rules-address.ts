import { type FieldRule, fieldRule } from './field-rule.js'

type AddressPart =
  'street' | 'number' | 'complement' | 'district' | 'state' | 'city' | 'country' | 'zip_code'

/** The least characters of the fields whose bounds differ between the two addresses. */
interface AddressBounds {
  readonly street: number
  readonly complement: number
  readonly district: number
  readonly city: number
}

function addressRules<Prefix extends string>(
  prefix: Prefix,
  path: string,
  min: AddressBounds,
): Record<`${Prefix}_${AddressPart}`, FieldRule> {
  const parts: Record<AddressPart, FieldRule> = {
    street: characters(`${path}.street`, min.street, 160),
    number: characters(`${path}.number`, 1, 20),
    complement: characters(`${path}.complement`, min.complement, 40),
    district: characters(`${path}.district`, min.district, 60),
    state: fieldRule(
      `${path}.state`,
      'São duas letras, como SP.',
      'It is two letters, such as SP.',
    ),
    city: characters(`${path}.city`, min.city, 60),
    country: fieldRule(
      `${path}.country`,
      'São duas letras, como BR.',
      'It is two letters, such as BR.',
    ),
    zip_code: fieldRule(
      `${path}.zip-code`,
      'É o CEP: oito dígitos, sem hífen.',
      'It is the CEP: eight digits, without a hyphen.',
    ),
  }
  return Object.fromEntries(
    Object.entries(parts).map(([part, rule]) => [`${prefix}_${part}`, rule]),
  ) as Record<`${Prefix}_${AddressPart}`, FieldRule>
}

function characters(field: string, min: number, max: number): FieldRule {
  return fieldRule(
    field,
    `É um texto de ${min} a ${max} caracteres.`,
    `It is a text of ${min} to ${max} characters.`,
  )
}

export const payerAddressRules = addressRules('payer_address', 'payer.address', {
  street: 1,
  complement: 1,
  district: 1,
  city: 1,
})

export const shippingAddressRules = addressRules('shipping_address', 'shipping.address', {
  street: 3,
  complement: 5,
  district: 4,
  city: 3,
})
