import type { RuleInForce } from '../account/index.js'

/** Rules of card brands that apply at every acquirer. */
export const BRAND_RULES: readonly RuleInForce[] = [
  {
    rule: {
      en: 'Elo 62 is a temporary block; the card may be retried.',
      'pt-BR': 'Elo 62 é um bloqueio temporário; o cartão pode ser tentado de novo.',
    },
    since: '2026-10',
    source: 'docs.cielo.com.br/ecommerce-cielo/changelog/outubro-2026',
    here: {
      en: 'Reason card_blocked; the same card may be tried again.',
      'pt-BR': 'Motivo card_blocked; o mesmo cartão pode ser tentado de novo.',
    },
    test: {
      file: 'packages/provider-kit/src/card/abecs-codes.test.ts',
      title: 'takes Elo 62 for a temporary block that may be retried, since October 2026',
    },
  },
  {
    rule: {
      en: 'Elo 62 for a domestic card abroad is irreversible.',
      'pt-BR': 'Elo 62 de cartão doméstico no exterior é irreversível.',
    },
    since: '2023-04',
    source: 'ABECS, Normativo 21; docs.cielo.com.br/ecommerce-cielo/page/abecs',
    here: {
      en: 'Reason not_permitted_abroad, without a retry, if the response’s text mentions purchases abroad.',
      'pt-BR':
        'Motivo not_permitted_abroad, sem nova tentativa, quando o texto da resposta cita o exterior.',
    },
    test: {
      file: 'packages/provider-kit/src/card/abecs-codes.test.ts',
      title: 'takes Elo 62 for a domestic card abroad, never to be retried, with the text %s',
    },
  },
  {
    rule: {
      en: 'Elo 5C: not supported or blocked by the issuer; reversible.',
      'pt-BR': 'Elo 5C: não suportada ou bloqueada pelo emissor; reversível.',
    },
    since: '2026-10-23',
    source: 'docs.cielo.com.br/ecommerce-cielo/changelog/julho-2026',
    here: {
      en: 'Reason not_permitted; the same card may be tried again.',
      'pt-BR': 'Motivo not_permitted; o mesmo cartão pode ser tentado de novo.',
    },
    test: {
      file: 'packages/provider-kit/src/card/abecs-codes.test.ts',
      title:
        'takes Elo 5C for not supported or blocked by the issuer, reversible, since 23 October 2026',
    },
  },
  {
    rule: {
      en: 'Elo 15, 66, 73, 79, 80 and Amex 102 are new.',
      'pt-BR': 'Elo 15, 66, 73, 79, 80 e Amex 102 são novos.',
    },
    since: '2026-03',
    source: 'docs.cielo.com.br/ecommerce-cielo/changelog/marco-2026',
    here: {
      en: 'Their meaning is not published: Cofre assumes no reason and does not retry automatically.',
      'pt-BR':
        'O significado não foi publicado: o Cofre não supõe um motivo e não tenta de novo automaticamente.',
    },
    test: {
      file: 'packages/provider-kit/src/card/abecs-codes.test.ts',
      title: 'guesses nothing of %s %s, new in March 2026',
    },
  },
  {
    rule: {
      en: 'Visa 46 and Elo 78 are reworded.',
      'pt-BR': 'Visa 46 e Elo 78 têm nova descrição.',
    },
    since: '2026-03',
    source: 'docs.cielo.com.br/ecommerce-cielo/changelog/marco-2026',
    here: {
      en: 'Reasons stay account_closed and card_not_unblocked; the latter also covers cards locked by their holders.',
      'pt-BR':
        'Os motivos continuam account_closed e card_not_unblocked; este inclui também cartões bloqueados pelo titular.',
    },
    test: {
      file: 'packages/provider-kit/src/card/abecs-codes.test.ts',
      title: 'keeps the reason of %s %s, reworded in March 2026',
    },
  },
  {
    rule: {
      en: 'Visa counts retries after 14 as bad data (category 3), no longer as final (category 1).',
      'pt-BR':
        'A Visa conta retentativas após 14 como dados ruins (categoria 3), não mais como definitivas (categoria 1).',
    },
    since: '2025-07',
    source: 'docs.cielo.com.br/ecommerce-cielo-en/changelog/july-2025',
    here: {
      en: 'Never retried: ABECS calls it irreversible, and the same number stays wrong.',
      'pt-BR': 'Nunca retentado: a ABECS o chama de irreversível, e o mesmo número segue errado.',
    },
    test: {
      file: 'packages/provider-kit/src/card/abecs-codes.test.ts',
      title: 'never retries Visa 14, although Visa counts it as bad data (category 3)',
    },
  },
  {
    rule: {
      en: 'Visa charges a fee after 20 declined tries of a card in 30 days; it was 15.',
      'pt-BR': 'A Visa cobra tarifa após 20 tentativas negadas de um cartão em 30 dias; eram 15.',
    },
    since: '2025-05-25',
    source:
      'docs.cielo.com.br/ecommerce-cielo-en/changelog/new-limit-for-visa-retries-starting-may-25-2025',
    here: {
      en: 'The next try at the same store is declined with retry_not_allowed until one of them is 30 days old.',
      'pt-BR':
        'A tentativa seguinte na mesma loja é recusada com retry_not_allowed até que uma delas complete 30 dias.',
    },
    test: {
      file: 'packages/vault/src/authorization/card-testing.test.ts',
      title: 'are declined after as many declines as the brand allows, for 30 days',
    },
  },
  {
    rule: {
      en: 'Mastercard’s advice 24 to 30 requires a wait of 1 hour, or 1, 2, 4, 6, 8 or 10 days.',
      'pt-BR':
        'Os avisos 24 a 30 da Mastercard mandam esperar 1 hora, ou 1, 2, 4, 6, 8 ou 10 dias.',
    },
    since: undefined,
    source:
      'docs.cielo.com.br/ecommerce-cielo/docs/merchant-advice-code-mac-mastercard; docs.antom.com/ac/ams/mac',
    here: {
      en: 'retry-date is that time; no other acquirer is asked before it.',
      'pt-BR': 'retry-date é essa hora; nenhuma outra adquirente é consultada antes.',
    },
    test: {
      file: 'packages/provider-kit/src/card/decline.test.ts',
      title: '%s has the card wait, charged when broken since October 2026',
    },
  },
  {
    rule: {
      en: 'Mastercard charges a fee for each retry before the time of advice 24 to 30.',
      'pt-BR': 'A Mastercard cobra tarifa por tentativa antes do prazo dos avisos 24 a 30.',
    },
    since: '2026-10',
    source: 'docs.cielo.com.br/ecommerce-cielo/changelog/outubro-2026',
    here: {
      en: 'A payment of the card at the same store before that time is declined with retry_not_allowed, and no acquirer is asked.',
      'pt-BR':
        'Um pagamento do cartão na mesma loja antes do prazo é recusado com retry_not_allowed, sem consultar adquirente.',
    },
    test: {
      file: 'packages/vault/src/authorization/card-testing.test.ts',
      title: 'wait for the %d days that the brand charges for, and nobody is asked before',
    },
  },
  {
    rule: {
      en: 'Mastercard’s advice 06, 07, 08, 90 and 99 are new.',
      'pt-BR': 'Os avisos 06, 07, 08, 90 e 99 da Mastercard são novos.',
    },
    since: '2026-11-10',
    source: 'docs.cielo.com.br/ecommerce-cielo/changelog/julho-2026',
    here: {
      en: 'Their meaning is not published: Cofre does not retry automatically.',
      'pt-BR': 'O significado não foi publicado: o Cofre não tenta de novo automaticamente.',
    },
    test: {
      file: 'packages/provider-kit/src/card/decline.test.ts',
      title: '%s, in force since 10 November 2026',
    },
  },
  {
    rule: {
      en: 'Mastercard’s advice 45 asks for a Maestro card with its PIN.',
      'pt-BR': 'O aviso 45 da Mastercard pede o cartão Maestro com senha.',
    },
    since: '2026-10-23',
    source: 'docs.cielo.com.br/ecommerce-cielo/changelog/junho-2026',
    here: {
      en: 'An online shop has no PIN: Cofre does not retry automatically.',
      'pt-BR': 'Uma loja online não tem a senha: o Cofre não tenta de novo automaticamente.',
    },
    test: {
      file: 'packages/provider-kit/src/card/decline.test.ts',
      title: '45 asks for a PIN since 23 October 2026, and no shop on the web has one',
    },
  },
  {
    rule: {
      en: 'An unlisted code allows no automatic retry.',
      'pt-BR': 'Um código fora das listas não permite nova tentativa automática.',
    },
    since: undefined,
    source: 'ABECS, Normativo 21; developer.cybersource.com, ccAuthReply_merchantAdviceCode',
    here: {
      en: 'retry-allowed is false, and no other account is asked; a payer may pay again.',
      'pt-BR':
        'retry-allowed é false, e nenhuma outra conta é consultada; o pagador pode tentar de novo.',
    },
    test: {
      file: 'packages/provider-kit/src/card/decline.test.ts',
      title: 'leads to no retry by itself',
    },
  },
  {
    rule: {
      en: 'A BIN has eight digits; of cards of 16 digits the first eight and last four may be shown, of others the first six.',
      'pt-BR':
        'Um BIN tem oito dígitos; de cartões de 16 dígitos podem aparecer os oito primeiros e os quatro últimos, dos outros os seis primeiros.',
    },
    since: '2022-04',
    source: 'ISO/IEC 7812-1:2017; PCI SSC FAQ 1091',
    here: {
      en: 'So they are kept and shown; look-ups take six to twelve digits.',
      'pt-BR': 'Assim são guardados e mostrados; as consultas aceitam de seis a doze dígitos.',
    },
    test: {
      file: 'packages/contracts/src/card/bin.test.ts',
      title: 'of %s is %s: eight digits of a number of 16, six of all others',
    },
  },
]
