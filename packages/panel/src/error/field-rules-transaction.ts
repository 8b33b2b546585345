import { fieldRule } from './field-rule.js'

const URL_PT =
  'É uma URL absoluta, http ou https, de até 200 caracteres, sem usuário, senha nem número de cartão'
const URL_EN =
  'It is an absolute http or https URL of at most 200 characters, without credentials or a card number'

/** Headers, lookups and the groups `transaction` and `cart`. */
export const transactionRules = {
  header_contenttype: fieldRule(
    'Content-Type',
    'A criação e a busca pedem application/json, em UTF-8.',
    'Creation and search want application/json, in UTF-8.',
  ),
  bin: fieldRule(
    'bin',
    'São os seis primeiros dígitos de um cartão de bandeira aceita.',
    'It is the first six digits of a card of an accepted brand.',
  ),
  brand: fieldRule(
    'brand',
    'É uma bandeira aceita: visa, mastercard, amex, elo, hipercard ou diners.',
    'It is an accepted brand: visa, mastercard, amex, elo, hipercard or diners.',
  ),
  country: fieldRule('country', 'Só vale BR.', 'Only BR is valid.'),
  amount: fieldRule(
    'amount',
    'É um valor maior que zero, com até duas casas decimais.',
    'It is an amount above zero with at most two decimals.',
  ),
  currency: fieldRule('currency', 'Só vale BRL.', 'Only BRL is valid.'),
  transaction: fieldRule(
    'transaction',
    'É o objeto com referência, país, moeda e URL de notificação.',
    'It is the object with reference, country, currency and notification URL.',
  ),
  transaction_reference: fieldRule(
    'transaction.reference',
    'São 1 a 64 letras, dígitos, pontos, sublinhados e hifens, nunca usados antes pela loja.',
    'It is 1 to 64 letters, digits, dots, underscores and hyphens, never used by the store before.',
  ),
  transaction_project_number: fieldRule(
    'transaction.project-number',
    'É um número inteiro, que não seja de cartão.',
    'It is a whole number, not a card’s.',
  ),
  transaction_country: fieldRule('transaction.country', 'Só vale BR.', 'Only BR is valid.'),
  transaction_currency: fieldRule('transaction.currency', 'Só vale BRL.', 'Only BRL is valid.'),
  transaction_checkout_type: fieldRule(
    'transaction.checkout-type',
    'Só vale direct.',
    'Only direct is valid.',
  ),
  transaction_notification_url: fieldRule(
    'transaction.notification-url',
    `${URL_PT}, que a internet alcança nas portas 80 e 443; o receptor deste painel também vale.`,
    `${URL_EN}, which the internet reaches on port 80 or 443; this panel’s receiver is valid too.`,
  ),
  transaction_language: fieldRule(
    'transaction.language',
    'Valem pt-BR, en-US, es-ES, pt-PT e tr-TR.',
    'Valid are pt-BR, en-US, es-ES, pt-PT and tr-TR.',
  ),
  transaction_redirect_urls: fieldRule(
    'transaction.redirect-urls',
    'É o objeto com success e fail, obrigatório com carteiras.',
    'It is the object with success and fail, required with wallets.',
  ),
  transaction_redirect_urls_success: fieldRule(
    'transaction.redirect-urls.success',
    `${URL_PT}.`,
    `${URL_EN}.`,
  ),
  transaction_redirect_urls_fail: fieldRule(
    'transaction.redirect-urls.fail',
    `${URL_PT}.`,
    `${URL_EN}.`,
  ),
  cart: fieldRule(
    'cart',
    'É a lista com pelo menos um item comprado.',
    'It is the list of at least one bought item.',
  ),
  'cart_#_description': fieldRule(
    'cart[].description',
    'É um texto de 1 a 200 caracteres.',
    'It is a text of 1 to 200 characters.',
  ),
  'cart_#_category': fieldRule(
    'cart[].category',
    'É um texto de 1 a 64 caracteres.',
    'It is a text of 1 to 64 characters.',
  ),
  'cart_#_quantity': fieldRule(
    'cart[].quantity',
    'É um número inteiro a partir de 1.',
    'It is a whole number from 1.',
  ),
  'cart_#_unit_price': fieldRule(
    'cart[].unit-price',
    'É um preço de pelo menos 0.01; pode ter mais de duas casas decimais.',
    'It is a price of at least 0.01; it may have more than two decimals.',
  ),
  'cart_#_type': fieldRule(
    'cart[].type',
    'Valem digital, physical, service e subscription.',
    'Valid are digital, physical, service and subscription.',
  ),
}
