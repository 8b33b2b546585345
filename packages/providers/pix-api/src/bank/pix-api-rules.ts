import type { RuleInForce } from '@cofre/provider-kit/account'

/** Rules of the central bank's API Pix. */
export const PIX_API_RULES: readonly RuleInForce[] = [
  {
    rule: {
      en: 'A return by MED says why: MED_OPERACIONAL, MED_FRAUDE or MED_PIX_AUTOMATICO.',
      'pt-BR':
        'Uma devolução por MED diz por quê: MED_OPERACIONAL, MED_FRAUDE ou MED_PIX_AUTOMATICO.',
    },
    since: '2026-02-02',
    source: 'API Pix 2.9.0 of the central bank',
    here: {
      en: 'It is kept, and told to the shop (`refund-nature`) and in the console.',
      'pt-BR': 'É guardado e dito à loja (`refund-nature`) e no console.',
    },
    test: {
      file: 'packages/providers/pix-api/src/bank/pix-api-simulated.test.ts',
      title: 'reads the reason of a refund by MED, as every bank reports since 2 February 2026',
    },
  },
]
