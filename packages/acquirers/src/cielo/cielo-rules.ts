import type { RuleInForce } from '@cofre/accounts'

/** Rules of Cielo's own. */
export const CIELO_RULES: readonly RuleInForce[] = [
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
      file: 'packages/acquirers/src/links-at-acquirers.test.ts',
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
      file: 'packages/acquirers/src/cielo/cielo-acquirer.test.ts',
      title: 'sends the TLID of the first use of a %s and the issuer’s id of the newest',
    },
  },
]
