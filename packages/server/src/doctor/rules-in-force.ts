import type { RuleInForce } from '@cofre/provider-kit/account'
import { loadAcquirers, loadBanks } from '@cofre/providers'
import { BRAND_RULES } from '@cofre/provider-kit/card'

/** Date of the last comparison of every row with its source. */
export const COMPARED_ON = '2026-11-28'

const LAW_RULES: readonly RuleInForce[] = [
  {
    rule: { en: 'A CNPJ may have letters.', 'pt-BR': 'Um CNPJ pode ter letras.' },
    since: '2026-07',
    source: 'Receita Federal, IN RFB 2.229/2024',
    here: {
      en: 'Both forms are taken wherever a document is.',
      'pt-BR': 'As duas formas são aceitas onde se informa um documento.',
    },
    test: {
      file: 'packages/contracts/src/value/document.test.ts',
      title: 'takes the numbers with letters that are given since July 2026',
    },
  },
]

const providers = [...(await loadAcquirers()), ...(await loadBanks())]

/** Rules of brands first, then of each provider, then of the law. */
export const RULES_IN_FORCE: readonly RuleInForce[] = [
  ...BRAND_RULES,
  ...providers.flatMap(({ rules }) => rules),
  ...LAW_RULES,
]
