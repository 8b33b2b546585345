import type { RuleInForce } from '@cofre/provider-kit/account'

export const ADYEN_RULES: readonly RuleInForce[] = [
  {
    rule: {
      en: 'At Adyen a later charge of a card that Adyen does not keep names the first one of the agreement.',
      'pt-BR':
        'Na Adyen uma cobrança posterior de um cartão que a Adyen não guarda nomeia a primeira do acordo.',
    },
    since: '2026-10-23',
    source: 'Adyen Checkout v72, additionalData.transactionLinkId and networkPaymentReference',
    here: {
      en: 'Both ids of the first charge; the TLID with Mastercard alone.',
      'pt-BR': 'Os dois identificadores da primeira cobrança; o TLID só com Mastercard.',
    },
    test: {
      file: 'packages/providers/adyen/src/card/adyen-acquirer.test.ts',
      title: 'sends both ids of the first use of a %s',
    },
  },
  {
    rule: {
      en: 'Adyen expires an authorization after 28 days; the brand’s own validity is shorter.',
      'pt-BR':
        'A Adyen deixa expirar uma autorização após 28 dias; a validade da própria bandeira é menor.',
    },
    since: undefined,
    source:
      'adyen.help 115001179684; stripe.com/blog/auth-capture; docs.antom.com/ac/antomop/brazilian_cards',
    here: {
      en: 'An authorized charge can be captured for 5 days (Visa) or 7, or as long as the account’s captureDays allow.',
      'pt-BR':
        'Uma cobrança autorizada pode ser capturada por 5 dias (Visa) ou 7, ou pelo prazo em captureDays da conta.',
    },
    test: {
      file: 'packages/providers/adyen/src/card/adyen-capture.test.ts',
      title: 'can be captured for %s',
    },
  },
]
