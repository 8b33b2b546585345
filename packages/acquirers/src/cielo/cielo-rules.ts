import type { RuleInForce } from '@cofre/accounts'

/** Rules of Cielo's own. */
export const CIELO_RULES: readonly RuleInForce[] = [
  {
    rule: {
      en: 'A payment of Elo that comes from a payment link says so.',
      'pt-BR': 'Um pagamento Elo que vem de link de pagamento diz isso.',
    },
    since: '2025-10-17',
    source: 'docs.cielo.com.br/ecommerce-cielo/reference/criar-recorrência-própria',
    here: {
      en: 'Payment.SolutionType is ExternalLinkPay.',
      'pt-BR': 'Payment.SolutionType é ExternalLinkPay.',
    },
    test: {
      file: 'packages/acquirers/src/cielo/cielo-acquirer.test.ts',
      title:
        'says that an Elo payment came from a payment link, as compulsory since 17 October 2025',
    },
  },
  {
    rule: {
      en: 'Cielo charges no Hipercard.',
      'pt-BR': 'A Cielo não cobra Hipercard.',
    },
    since: '2025-06-30',
    source:
      'docs.cielo.com.br/gateway/changelog; docs.cielo.com.br/ecommerce-cielo/docs/produtos-e-bandeiras-suportadas',
    here: {
      en: 'Another acquirer of the store’s order takes it; without one 210601, and look-ups leave it out.',
      'pt-BR':
        'Outro adquirente da ordem da loja o cobra; sem outro, 210601, e as consultas não o mostram.',
    },
    test: {
      file: 'packages/acquirers/src/routed-brands.test.ts',
      title: 'is charged by no account at Cielo since 30 June 2025, but by the store’s next one',
    },
  },
  {
    rule: {
      en: 'Cielo charges Diners in one installment.',
      'pt-BR': 'A Cielo cobra Diners à vista.',
    },
    since: undefined,
    source: 'docs.cielo.com.br/ecommerce-cielo/docs/produtos-e-bandeiras-suportadas',
    here: {
      en: 'Another acquirer of the store’s order takes more, up to 12; without one 210601, and look-ups offer one.',
      'pt-BR':
        'Outro adquirente da ordem da loja cobra mais, até 12; sem outro, 210601, e as consultas oferecem uma.',
    },
    test: {
      file: 'packages/acquirers/src/routed-brands.test.ts',
      title: 'is at Cielo in one if it is of Diners: the store’s next account takes more',
    },
  },
  {
    rule: {
      en: 'An acquirer charges in 12 installments, or in more by its contract (up to 18).',
      'pt-BR': 'Um adquirente cobra em 12 parcelas, ou em mais pelo contrato (até 18).',
    },
    since: '2026-09',
    source: 'docs.cielo.com.br/ecommerce-cielo/changelog/setembro-2026; specification, section 8',
    here: {
      en: 'Accounts say more by contract (installmentsMax); a store offers more where it asks for it.',
      'pt-BR': 'A conta diz mais pelo contrato (installmentsMax); a loja oferece mais se o pedir.',
    },
    test: {
      file: 'packages/gateway/src/payment/store-interest.test.ts',
      title: 'offers more than 12 installments where the store has asked for it alone',
    },
  },
  {
    rule: {
      en: 'An authorization at Cielo is captured within 7 days, or as the contract says (1 to 29).',
      'pt-BR': 'Uma autorização na Cielo é capturada em 7 dias, ou no prazo do contrato (1 a 29).',
    },
    since: '2026-07',
    source: 'docs.cielo.com.br/ecommerce-cielo/docs/captura',
    here: {
      en: 'The sale asks for the capture; one that failed is repeated for a day, and then the authorization is cancelled.',
      'pt-BR':
        'A venda já pede a captura; a que falha é repetida por um dia, e depois a autorização é cancelada.',
    },
    test: {
      file: 'packages/acquirers/src/cielo/cielo-acquirer.test.ts',
      title: 'is captured with the authorization, within the seven days that Cielo gives',
    },
  },
  {
    rule: {
      en: 'Debit at Cielo needs 3-D Secure.',
      'pt-BR': 'Débito na Cielo exige 3-D Secure.',
    },
    since: undefined,
    source: 'docs.cielo.com.br/ecommerce-cielo/reference/debito',
    here: {
      en: 'Every sale is of credit.',
      'pt-BR': 'Toda venda é de crédito.',
    },
    test: {
      file: 'packages/acquirers/src/cielo/cielo-acquirer.test.ts',
      title: 'is of credit alone: Cielo takes debit with 3-D Secure only',
    },
  },
  {
    rule: {
      en: 'Cielo’s webhook covers every event.',
      'pt-BR': 'O webhook da Cielo cobre todos os eventos.',
    },
    since: '2026-10',
    source: 'docs.cielo.com.br/ecommerce-cielo/changelog/outubro-2026',
    here: {
      en: 'A notice of any type has the payment looked up; what it says is not believed.',
      'pt-BR': 'Um aviso de qualquer tipo faz consultar o pagamento; o que ele diz não basta.',
    },
    test: {
      file: 'packages/acquirers/src/cielo/cielo-notice.test.ts',
      title: 'of type %j is a hint, and nothing more',
    },
  },
]
