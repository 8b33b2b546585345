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
]
