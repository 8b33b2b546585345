import type { RuleInForce } from '@cofre/provider-kit/account'

/** Rules of the central bank's API Pix. */
export const PIX_API_RULES: readonly RuleInForce[] = [
  {
    rule: {
      en: 'A MED refund has a reason: MED_OPERACIONAL, MED_FRAUDE or MED_PIX_AUTOMATICO.',
      'pt-BR':
        'Uma devolução por MED informa o motivo: MED_OPERACIONAL, MED_FRAUDE ou MED_PIX_AUTOMATICO.',
    },
    since: '2026-02-02',
    source: 'API Pix 2.9.0 of the central bank',
    here: {
      en: 'Cofre stores it, reports it to the shop (`refund-nature`) and shows it in the console.',
      'pt-BR': 'O Cofre o guarda, o informa à loja (`refund-nature`) e o mostra no console.',
    },
    test: {
      file: 'packages/providers/pix-api/src/bank/pix-api-simulated.test.ts',
      title: 'reads the reason of a refund by MED, as every bank reports since 2 February 2026',
    },
  },
]
