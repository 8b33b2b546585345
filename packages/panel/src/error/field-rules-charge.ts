import { fieldRule } from './field-rule.js'

/** The group `charge`. */
export const chargeRules = {
  charge: fieldRule(
    'charge',
    'É a lista com exatamente uma cobrança em BRL.',
    'It is the list of exactly one charge in BRL.',
  ),
  'charge_#_amount': fieldRule(
    'charge[].amount',
    'É um valor com até duas casas decimais: a partir de 0.20 no cartão, 0.01 no boleto e na carteira, 1.00 no PIX.',
    'It is an amount with at most two decimals: from 0.20 by card, 0.01 by boleto and wallet, 1.00 by PIX.',
  ),
  'charge_#_payment_method': fieldRule(
    'charge[].payment-method',
    'É o objeto com type e sub-type.',
    'It is the object with type and sub-type.',
  ),
  'charge_#_payment_method_type': fieldRule(
    'charge[].payment-method.type',
    'Valem credit-card, postpay (boleto), e-wallet e eft (PIX).',
    'Valid are credit-card, postpay (boleto), e-wallet and eft (PIX).',
  ),
  'charge_#_payment_method_sub_type': fieldRule(
    'charge[].payment-method.sub-type',
    'É a bandeira do cartão (a do token), boleto, pix ou a carteira.',
    'It is the card’s brand (that of the token), boleto, pix or the wallet.',
  ),
  'charge_#_payment_info': fieldRule(
    'charge[].payment-info',
    'É o objeto com parcelas e token ou código, obrigatório no cartão.',
    'It is the object with installments and token or code, required by card.',
  ),
  'charge_#_payment_info_installments': fieldRule(
    'charge[].payment-info.installments',
    'É um número de 1 a 12, obrigatório no cartão.',
    'It is a number from 1 to 12, required by card.',
  ),
  'charge_#_payment_info_token': fieldRule(
    'charge[].payment-info.token',
    'É o token direto que a biblioteca do navegador acabou de dar: vale uma vez, por 15 minutos, de uma bandeira aceita. Peça um novo.',
    'It is the direct token that the browser library has just given: good once, for 15 minutes, of an accepted brand. Ask for a new one.',
  ),
  'charge_#_payment_info_save': fieldRule(
    'charge[].payment-info.save',
    'É true ou false.',
    'It is true or false.',
  ),
  'charge_#_payment_info_code': fieldRule(
    'charge[].payment-info.code',
    'É o código de um cartão salvo: 32 letras e dígitos.',
    'It is the code of a saved card: 32 letters and digits.',
  ),
  'charge_#_payment_info_credit_card': fieldRule(
    'charge[].payment-info.credit-card',
    'É o objeto com number, cvv e expiration-date; só para lojas que podem enviar cartões abertos.',
    'It is the object with number, cvv and expiration-date; only for stores that may send raw cards.',
  ),
  'charge_#_payment_info_credit_card_number': fieldRule(
    'charge[].payment-info.credit-card.number',
    'São os dígitos de um cartão de bandeira aceita, com o dígito verificador correto.',
    'It is the digits of a card of an accepted brand, with the right check digit.',
  ),
  'charge_#_payment_info_credit_card_cvv': fieldRule(
    'charge[].payment-info.credit-card.cvv',
    'São 3 dígitos; 4 no Amex.',
    'It is 3 digits; 4 on an Amex.',
  ),
  'charge_#_payment_info_credit_card_expiration_date': fieldRule(
    'charge[].payment-info.credit-card.expiration-date',
    'É um mês que não passou, como 2030-12.',
    'It is a month that has not passed, such as 2030-12.',
  ),
  charge_payments_amount_sum: fieldRule(
    'charge[].amount',
    'A soma das cobranças tem de ser o valor do carrinho mais shipping.cost, ao centavo.',
    'The charges have to add up to the cart’s value plus shipping.cost, to the cent.',
  ),
}
