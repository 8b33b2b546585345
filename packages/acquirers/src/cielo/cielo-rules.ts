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
]
