// What the errors page says of each field of POST /transactions, in both languages: what a value must be, and when an
// optional field is required. Fields of an address are written once.
const TEXTS = {
  transaction: ['Send an object.', 'Envie um objeto.'],
  'transaction.reference': [
    '1 to 64 letters, digits, `.`, `_` or `-`.',
    'De 1 a 64 letras, dígitos, `.`, `_` ou `-`.',
  ],
  'transaction.project-number': [
    'An integer that is no card number.',
    'Um número inteiro que não seja de cartão.',
  ],
  'transaction.country': ['Only `BR`.', 'Somente `BR`.'],
  'transaction.currency': ['Only `BRL`.', 'Somente `BRL`.'],
  'transaction.checkout-type': ['Only `direct`.', 'Somente `direct`.'],
  'transaction.notification-url': [
    'An http or https URL on port 80 or 443, at most 200 characters, at a public address, without a card number.',
    'Uma URL http ou https na porta 80 ou 443, com até 200 caracteres, em um endereço público, sem número de cartão.',
  ],
  'transaction.language': [
    '`pt-BR`, `en-US`, `es-ES`, `pt-PT` or `tr-TR`.',
    '`pt-BR`, `en-US`, `es-ES`, `pt-PT` ou `tr-TR`.',
  ],
  'transaction.redirect-urls': [
    'An object with `success` and `fail`.',
    'Um objeto com `success` e `fail`.',
  ],
  'transaction.redirect-urls.success': [
    'An http or https URL, at most 200 characters, without a card number.',
    'Uma URL http ou https, com até 200 caracteres, sem número de cartão.',
  ],
  'transaction.redirect-urls.fail': [
    'An http or https URL, at most 200 characters, without a card number.',
    'Uma URL http ou https, com até 200 caracteres, sem número de cartão.',
  ],
  charge: [
    'An array of exactly one charge; a raw card also wants `currency` `BRL`.',
    'Uma lista com exatamente uma cobrança; um cartão aberto também pede `currency` `BRL`.',
  ],
  'charge[].amount': [
    'At most two decimals; at least 0.20 by card, 1.00 by PIX, 0.01 otherwise.',
    'No máximo duas casas decimais; no mínimo 0.20 no cartão, 1.00 no PIX, 0.01 nos demais.',
  ],
  'charge[].payment-method': ['An object with `type`.', 'Um objeto com `type`.'],
  'charge[].payment-method.type': [
    '`credit-card`, `postpay`, `e-wallet` or `eft`.',
    '`credit-card`, `postpay`, `e-wallet` ou `eft`.',
  ],
  'charge[].payment-method.sub-type': [
    '`boleto`, `pix`, a wallet, or the brand of the card that the token holds.',
    '`boleto`, `pix`, uma carteira, ou a bandeira do cartão que está no token.',
  ],
  'charge[].payment-info': ['An object.', 'Um objeto.'],
  'charge[].payment-info.installments': ['1 to 12.', 'De 1 a 12.'],
  'charge[].payment-info.token': [
    'The direct token as the library gave it, not older than 15 minutes, never used before, of a brand that is accepted. Ask the page for a new one.',
    'O token direto como a biblioteca o entregou, com menos de 15 minutos, nunca usado, de uma bandeira aceita. Peça um novo à página.',
  ],
  'charge[].payment-info.code': [
    '32 letters and digits, as the service answered them.',
    '32 letras e dígitos, como o serviço respondeu.',
  ],
  'charge[].payment-info.save': ['`true` or `false`.', '`true` ou `false`.'],
  'charge[].payment-info.credit-card': [
    'An object with `number`, `cvv` and `expiration-date`.',
    'Um objeto com `number`, `cvv` e `expiration-date`.',
  ],
  'charge[].payment-info.credit-card.number': [
    'The digits of a card of an accepted brand, with its check digit.',
    'Os dígitos de um cartão de bandeira aceita, com o dígito verificador.',
  ],
  'charge[].payment-info.credit-card.cvv': [
    'Three digits; four for Amex.',
    'Três dígitos; quatro no Amex.',
  ],
  'charge[].payment-info.credit-card.expiration-date': [
    '`YYYY-MM`, not in the past.',
    '`AAAA-MM`, que não tenha passado.',
  ],
  payer: ['An object.', 'Um objeto.'],
  'payer.name': [
    'Two words or more with one space between, the first of at least two letters; at most 255 characters by card, 50 otherwise.',
    'Duas palavras ou mais separadas por um espaço, a primeira com ao menos duas letras; até 255 caracteres no cartão, 50 nos demais.',
  ],
  'payer.email': [
    'An e-mail of at most 60 characters, without a card number; before the @ only letters, digits and `- + . _`.',
    'Um e-mail de até 60 caracteres, sem número de cartão; antes do @ somente letras, dígitos e `- + . _`.',
  ],
  'payer.birth-date': ['`YYYY-MM-DD`, from 1900 to today.', '`AAAA-MM-DD`, de 1900 até hoje.'],
  'payer.phone-number': [
    'With a plus and the country, like `+5541988887777`.',
    'Com mais e o país, como `+5541988887777`.',
  ],
  'payer.document': ['An object with `type` and `number`.', 'Um objeto com `type` e `number`.'],
  'payer.document.type': ['`CPF` or `CNPJ`.', '`CPF` ou `CNPJ`.'],
  'payer.document.number': [
    'A valid CPF or CNPJ without punctuation.',
    'Um CPF ou CNPJ válido, sem pontuação.',
  ],
  'payer.ip': ['An IPv4 or IPv6 address.', 'Um endereço IPv4 ou IPv6.'],
  'payer.address': ['An object.', 'Um objeto.'],
  shipping: ['An object with `cost` and `address`.', 'Um objeto com `cost` e `address`.'],
  'shipping.cost': [
    'At most two decimals, not negative.',
    'No máximo duas casas decimais, sem ser negativo.',
  ],
  'shipping.address': ['An object.', 'Um objeto.'],
  cart: ['An array of at least one item.', 'Uma lista com ao menos um item.'],
  'cart[].quantity': ['An integer from 1.', 'Um inteiro a partir de 1.'],
  'cart[].description': ['1 to 200 characters.', 'De 1 a 200 caracteres.'],
  'cart[].unit-price': ['At least 0.01.', 'No mínimo 0.01.'],
  'cart[].type': [
    '`digital`, `physical`, `service` or `subscription`.',
    '`digital`, `physical`, `service` ou `subscription`.',
  ],
  'cart[].category': ['1 to 64 characters.', 'De 1 a 64 caracteres.'],
}

/** Shortest and longest text of the parts of an address that differ between payer and shipping. */
const ADDRESS_BOUNDS = {
  'payer.address': {
    street: [1, 160],
    number: [1, 20],
    complement: [1, 40],
    district: [1, 60],
    city: [1, 60],
  },
  'shipping.address': {
    street: [3, 160],
    number: [1, 20],
    complement: [5, 40],
    district: [4, 60],
    city: [3, 60],
  },
}

const boundsText = ([min, max]) => [
  `${min} to ${max} characters.`,
  `De ${min} a ${max} caracteres.`,
]

const addressTexts = Object.entries(ADDRESS_BOUNDS).flatMap(([address, parts]) => [
  ...Object.entries(parts).map(([part, bounds]) => [`${address}.${part}`, boundsText(bounds)]),
  [`${address}.state`, ['Two letters.', 'Duas letras.']],
  [`${address}.country`, ['Two letters, like `BR`.', 'Duas letras, como `BR`.']],
  [`${address}.zip-code`, ['Eight digits.', 'Oito dígitos.']],
])

/** By field: what its value must be, in English and in Portuguese. */
export const FIELD_RULES = { ...TEXTS, ...Object.fromEntries(addressTexts) }

const PHYSICAL = [
  'Send it: the cart has an item of type `physical`.',
  'Envie: o carrinho tem um item do tipo `physical`.',
]

/** By field: when it is required, where that is not always. */
export const REQUIRED_WHEN = {
  'transaction.redirect-urls': ['Send it with `e-wallet`.', 'Envie com `e-wallet`.'],
  'charge[].payment-method.sub-type': [
    'Send it; only a card can do without.',
    'Envie; só o cartão dispensa.',
  ],
  'charge[].payment-info': ['Send it with `credit-card`.', 'Envie com `credit-card`.'],
  'charge[].payment-info.installments': ['Send it with `credit-card`.', 'Envie com `credit-card`.'],
  'charge[].payment-info.token': [
    'Send a token, a saved card’s `code`, or a raw card.',
    'Envie um token, o `code` de um cartão salvo ou um cartão aberto.',
  ],
  'payer.birth-date': ['Send it when a CPF pays by card.', 'Envie quando um CPF paga com cartão.'],
  'payer.phone-number': [
    'Send it when a token or a code pays.',
    'Envie quando um token ou um código paga.',
  ],
  'payer.ip': [
    'Send it, unless a token or a code pays.',
    'Envie, a não ser que um token ou um código pague.',
  ],
  'payer.address': PHYSICAL,
  shipping: PHYSICAL,
}
