import type { Failure, TransactionRequest } from '@cofre/contracts'
import type { BoletoPayer, BoletoPayerAddress } from '@cofre/provider-kit/bank'

type Payer = TransactionRequest['payer']

const STATES = [
  ...['AC', 'AL', 'AM', 'AP', 'BA', 'CE', 'DF', 'ES', 'GO', 'MA', 'MG', 'MS', 'MT', 'PA', 'PB'],
  ...['PE', 'PI', 'PR', 'RJ', 'RN', 'RO', 'RR', 'RS', 'SC', 'SE', 'SP', 'TO'],
]

/** Why banks would register no boleto for a payer whose other data is valid. */
export function payerObjections({ address }: Pick<Payer, 'address'>): readonly Failure[] {
  const property = 'payer.address'
  if (address === undefined)
    return [{ name: 'payer_address_missing', property, constraint: 'required', cause: 'boleto' }]
  const failures: Failure[] = []
  if (address.country.toUpperCase() !== 'BR')
    failures.push({
      name: 'payer_address_country_invalid',
      property: `${property}.country`,
      constraint: 'invalid',
      allowed: ['BR'],
    })
  if (!STATES.includes(address.state.toUpperCase()))
    failures.push({
      name: 'payer_address_state_invalid',
      property: `${property}.state`,
      constraint: 'invalid',
      allowed: STATES,
    })
  return failures
}

/** The debtor of a boleto; {@link payerObjections} has found nothing. */
export function boletoPayer({ name, email, document, address }: Payer): BoletoPayer {
  if (address === undefined) throw new Error('a boleto at a bank has the address of its payer')
  return { name, email, document: document.number.toUpperCase(), address: payerAddress(address) }
}

function payerAddress(address: NonNullable<Payer['address']>): BoletoPayerAddress {
  const { street, number, complement, district, city, state } = address
  const postalCode = address['zip-code']
  return { street, number, complement, district, city, state: state.toUpperCase(), postalCode }
}
