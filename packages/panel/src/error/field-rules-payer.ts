import { fieldRule } from './field-rule.js'

const PHYSICAL_PT = 'Obrigatório quando o carrinho tem um item físico.'
const PHYSICAL_EN = 'Required when the cart has a physical item.'

/** The groups `payer` and `shipping`, without the parts of their addresses. */
export const payerRules = {
  payer: fieldRule(
    'payer',
    'É o objeto com nome, e-mail e documento de quem paga.',
    'It is the object with name, e-mail and document of who pays.',
  ),
  payer_name: fieldRule(
    'payer.name',
    'É nome e sobrenome, só com letras; até 50 caracteres quando não se paga com cartão.',
    'It is first and last name, letters only; at most 50 characters when not paid by card.',
  ),
  payer_email: fieldRule(
    'payer.email',
    'É um e-mail como maria@example.com, de até 60 caracteres, sem número de cartão.',
    'It is an e-mail such as maria@example.com, of at most 60 characters, without a card number.',
  ),
  payer_birth_date: fieldRule(
    'payer.birth-date',
    'É uma data que já passou, como 1990-01-31; obrigatória no cartão com CPF.',
    'It is a day in the past, such as 1990-01-31; required by card with a CPF.',
  ),
  payer_ip: fieldRule(
    'payer.ip',
    'É o endereço IP de quem paga, IPv4 ou IPv6; obrigatório fora do cartão e com cartão aberto.',
    'It is the payer’s IP address, IPv4 or IPv6; required when not paid by card, and with a raw card.',
  ),
  payer_phone_number: fieldRule(
    'payer.phone-number',
    'É um telefone com +, país e DDD, como +5541988887777; obrigatório no cartão.',
    'It is a phone with +, country and area code, such as +5541988887777; required by card.',
  ),
  payer_document: fieldRule(
    'payer.document',
    'É o objeto com type e number.',
    'It is the object with type and number.',
  ),
  payer_document_type: fieldRule(
    'payer.document.type',
    'Valem CPF e CNPJ.',
    'Valid are CPF and CNPJ.',
  ),
  payer_document_number: fieldRule(
    'payer.document.number',
    'É o CPF ou CNPJ sem pontos e traços, com os dígitos verificadores corretos.',
    'It is the CPF or CNPJ without punctuation, with the right check digits.',
  ),
  payer_address: fieldRule('payer.address', PHYSICAL_PT, PHYSICAL_EN),
  shipping: fieldRule('shipping', PHYSICAL_PT, PHYSICAL_EN),
  shipping_cost: fieldRule(
    'shipping.cost',
    'É um valor a partir de 0.00, com até duas casas decimais.',
    'It is an amount from 0.00, with at most two decimals.',
  ),
  shipping_address: fieldRule(
    'shipping.address',
    'É o endereço de entrega, obrigatório com o frete.',
    'It is the delivery address, required with shipping.',
  ),
}
