import type { RuleInForce } from '@cofre/provider-kit/account'

export const CIELO_RULES: readonly RuleInForce[] = [
  {
    rule: {
      en: 'An Elo payment from a payment link must be marked as such.',
      'pt-BR': 'Um pagamento Elo feito por link de pagamento deve ser marcado como tal.',
    },
    since: '2025-10-17',
    source: 'docs.cielo.com.br/ecommerce-cielo/reference/criar-recorrência-própria',
    here: {
      en: 'Payment.SolutionType is ExternalLinkPay.',
      'pt-BR': 'Payment.SolutionType é ExternalLinkPay.',
    },
    test: {
      file: 'packages/providers/cielo/src/card/cielo-acquirer.test.ts',
      title: 'marks an Elo payment from a payment link, as compulsory since 17 October 2025',
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
      en: 'The store’s next acquirer charges it; without one, the error is 210601, and lookups omit it.',
      'pt-BR':
        'O próximo adquirente da loja o cobra; sem outro, o erro é 210601, e as consultas não o mostram.',
    },
    test: {
      file: 'packages/providers/index/src/routed-brands.test.ts',
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
      en: 'The store’s next acquirer charges more, up to 12; without one, the error is 210601, and lookups offer one.',
      'pt-BR':
        'O próximo adquirente da loja cobra mais, até 12; sem outro, o erro é 210601, e as consultas oferecem uma.',
    },
    test: {
      file: 'packages/providers/index/src/routed-brands.test.ts',
      title:
        'has one installment at Cielo if it is of Diners: the store’s next account allows more',
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
      en: 'An account’s contract can allow more (installmentsMax); a store offers more if it is set to.',
      'pt-BR':
        'O contrato da conta pode permitir mais (installmentsMax); a loja oferece mais se for configurada assim.',
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
      en: 'captureDays of the account, or 7. Without a later capture the sale asks for it; one that failed is repeated for a day, and then the authorization is cancelled.',
      'pt-BR':
        'captureDays da conta, ou 7. Sem captura posterior a venda já a pede; a que falha é repetida por um dia, e depois a autorização é cancelada.',
    },
    test: {
      file: 'packages/providers/cielo/src/card/cielo-account.test.ts',
      title: 'leaves seven days to capture a %s, or those of the contract',
    },
  },
  {
    rule: {
      en: 'Cielo captures an authorization once, all of it or a part.',
      'pt-BR': 'A Cielo captura uma autorização uma só vez, no total ou em parte.',
    },
    since: undefined,
    source:
      'docs.cielo.com.br/ecommerce-cielo-en/reference/capture-credit-transaction-after-authorization',
    here: {
      en: 'Cofre reads the sale before it repeats a capture; the rest of a part is released.',
      'pt-BR': 'O Cofre lê a venda antes de repetir uma captura; o resto de uma parte é liberado.',
    },
    test: {
      file: 'packages/providers/cielo/src/card/cielo-capture.test.ts',
      title: 'takes %s, once',
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
      file: 'packages/providers/cielo/src/card/cielo-acquirer.test.ts',
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
      en: 'After a notice of any type, Cofre reads the payment; it does not trust the notice’s content.',
      'pt-BR':
        'Depois de um aviso de qualquer tipo, o Cofre consulta o pagamento; o conteúdo do aviso não basta.',
    },
    test: {
      file: 'packages/providers/cielo/src/card/cielo-notice.test.ts',
      title: 'of type %j is a hint, and nothing more',
    },
  },
  {
    rule: {
      en: 'Cielo cancels a captured sale for 330 days (credit in one, debit), 690 (installments) or 150 (debit of Maestro).',
      'pt-BR':
        'A Cielo cancela uma venda capturada por 330 dias (crédito à vista, débito), 690 (parcelado) ou 150 (débito Maestro).',
    },
    since: '2026-09',
    source: 'docs.cielo.com.br/ecommerce-cielo/changelog/setembro-2026',
    here: {
      en: 'Refunds, `refundable` and 20621 follow it in production; the sandbox keeps 360 days.',
      'pt-BR': 'Reembolsos, `refundable` e 20621 o seguem em produção; o sandbox mantém 360 dias.',
    },
    test: {
      file: 'packages/providers/cielo/src/card/cielo-account.test.ts',
      title: 'refunds a sale %s in the days of September 2026',
    },
  },
  {
    rule: {
      en: 'Cielo cancels only one part of a debit sale.',
      'pt-BR': 'A Cielo cancela uma só parte de uma venda no débito.',
    },
    since: undefined,
    source: 'docs.cielo.com.br/gateway/docs/cancelamento',
    here: {
      en: 'Cofre makes no debit sales; the simulated Cielo follows the rule.',
      'pt-BR': 'O Cofre não faz vendas no débito; a Cielo simulada segue a regra.',
    },
    test: {
      file: 'packages/providers/cielo/src/simulator/voids.test.ts',
      title: 'gives one part of a debit back, and no other',
    },
  },
  {
    rule: {
      en: 'After BP900, Cielo requires reading the sale, and a retry of the void in five minutes.',
      'pt-BR':
        'Depois de BP900 a Cielo pede que se consulte a venda e que se tente de novo em cinco minutos.',
    },
    since: '2025-12',
    source: 'docs.cielo.com.br/ecommerce-cielo-en/changelog/december-2025',
    here: {
      en: 'Cofre reads the sale after five minutes and requests only what its sum lacks.',
      'pt-BR': 'O Cofre lê a venda depois de cinco minutos e só pede o que falta na soma dela.',
    },
    test: {
      file: 'packages/providers/cielo/src/card/cielo-return.test.ts',
      title: 'with ReturnCode BP900 is looked up after five minutes, and never made twice',
    },
  },
  {
    rule: {
      en: 'After BP903 a void at Cielo has failed and is tried again.',
      'pt-BR': 'Depois de BP903 um cancelamento na Cielo falhou e deve ser tentado de novo.',
    },
    since: '2025-12',
    source: 'docs.cielo.com.br/ecommerce-cielo-en/changelog/december-2025',
    here: {
      en: 'Cofre reads the sale first, as after any unclear response.',
      'pt-BR': 'O Cofre lê a venda antes, como depois de qualquer resposta inconclusiva.',
    },
    test: {
      file: 'packages/providers/cielo/src/card/cielo-return.test.ts',
      title: 'with ReturnCode %s is made after all if Cielo has not made it',
    },
  },
  {
    rule: {
      en: 'Cielo answers 100 to a void of a part before the sale is settled.',
      'pt-BR': 'A Cielo responde 100 ao cancelamento parcial de uma venda ainda não liquidada.',
    },
    since: '2025-12',
    source: 'docs.cielo.com.br/ecommerce-cielo-en/changelog/december-2025',
    here: {
      en: 'The refund waits for the next day, and the store sees when; 40 days after the sale it is refused.',
      'pt-BR':
        'O reembolso espera o dia seguinte, e a loja vê quando; 40 dias depois da venda é recusado.',
    },
    test: {
      file: 'packages/providers/cielo/src/card/cielo-return.test.ts',
      title: 'of a part waits for the next day with ReturnCode 100: the sale is not settled',
    },
  },
  {
    rule: {
      en: 'A Mastercard charge that the merchant starts carries at Cielo the TLID of the cardholder’s first charge.',
      'pt-BR':
        'Uma cobrança Mastercard iniciada pela loja leva na Cielo o TLID da primeira cobrança do portador.',
    },
    since: '2026-10-23',
    source: 'docs.cielo.com.br/gateway/changelog/tlid-obrigatorio',
    here: {
      en: 'Payment.TransactionLinkId of the first charge; where none is known the charge is sent all the same, counted and listed.',
      'pt-BR':
        'Payment.TransactionLinkId da primeira cobrança; sem um conhecido, a cobrança é enviada assim mesmo, contada e listada.',
    },
    test: {
      file: 'packages/providers/index/src/links-at-acquirers.test.ts',
      title: 'name the first TLID and the newest issuer’s id to Cielo',
    },
  },
  {
    rule: {
      en: 'A charge of a saved Visa, Mastercard, Elo or Amex carries at Cielo the IssuerTransactionId of the most recent one.',
      'pt-BR':
        'Uma cobrança de Visa, Mastercard, Elo ou Amex salvo leva na Cielo o IssuerTransactionId da mais recente.',
    },
    since: undefined,
    source: 'docs.cielo.com.br/ecommerce-cielo/docs/identificadores-de-bandeira',
    here: {
      en: 'That of the newest charge whose answer had one, also at another acquirer.',
      'pt-BR': 'O da cobrança mais nova cuja resposta trouxe um, também em outra adquirente.',
    },
    test: {
      file: 'packages/providers/cielo/src/card/cielo-acquirer.test.ts',
      title: 'sends the TLID of the first use of a %s and the issuer’s id of the newest',
    },
  },
]
