import { FIXED_SAVED_CARD } from './fixed-saved-card.js'
import type { BilingualText } from './bilingual-text.js'
import { TEST_AMOUNTS } from './test-amounts.js'
import { TEST_CARDS } from './test-cards.js'
import { TEST_PAYERS } from './test-payers.js'
import { TEST_REFUNDS } from './test-refunds.js'

/** One row of a table: what to send, and what comes of it. */
export interface TestDataRow {
  readonly value: string
  /** What kind it is: a brand, `cpf`, `cnpj`; empty where there is but one. */
  readonly kind: string
  readonly meaning: BilingualText
}

export interface TestDataTable {
  readonly title: BilingualText
  readonly note: BilingualText
  readonly rows: readonly TestDataRow[]
}

/** Everything that chooses an outcome in the sandbox, for documents and panel. */
export const TEST_DATA: readonly TestDataTable[] = [
  {
    title: { en: 'Cards', 'pt-BR': 'Cartões' },
    note: {
      en: 'Any expiry ahead, any security code. Any other valid card is approved.',
      'pt-BR':
        'Qualquer validade futura, qualquer código de segurança. Qualquer outro cartão válido é aprovado.',
    },
    rows: TEST_CARDS.map(({ number, brand, meaning }) => ({ value: number, kind: brand, meaning })),
  },
  {
    title: { en: 'Saved cards', 'pt-BR': 'Cartões salvos' },
    note: {
      en: 'In `payment-info.code`. A token or `save` always answers this one code; any other is error 210605.',
      'pt-BR':
        'Em `payment-info.code`. Um token, ou `save`, responde sempre este mesmo código; qualquer outro é o erro 210605.',
    },
    rows: [
      {
        value: FIXED_SAVED_CARD.code,
        kind: FIXED_SAVED_CARD.brand,
        meaning: { en: 'approved', 'pt-BR': 'aprovado' },
      },
    ],
  },
  {
    title: { en: 'Payer documents', 'pt-BR': 'Documentos do pagador' },
    note: {
      en: 'In `payer.document`. The holder of any other valid document may buy.',
      'pt-BR': 'Em `payer.document`. O titular de qualquer outro documento válido pode comprar.',
    },
    rows: TEST_PAYERS.map(({ type, document, errorCode, meaning }) => ({
      value: document,
      kind: type,
      meaning: errorCode === undefined ? meaning : withError(meaning, errorCode),
    })),
  },
  {
    title: { en: 'Amounts', 'pt-BR': 'Valores' },
    note: {
      en: 'Of a boleto or a PIX charge the centavos choose, whatever the settlement mode: 10.01, 250.01 and so on.',
      'pt-BR':
        'Em boleto e PIX os centavos escolhem, qualquer que seja o modo de liquidação: 10,01, 250,01 e assim por diante.',
    },
    rows: [
      ...TEST_AMOUNTS.map(({ centavos, meaning }) => ({
        value: `….${String(centavos).padStart(2, '0')}`,
        kind: 'boleto, pix',
        meaning,
      })),
      {
        value: '10000.01',
        kind: '',
        meaning: {
          en: 'above the purchase limit, unless the operator has set another: error 210602',
          'pt-BR': 'acima do limite de compra, salvo se o operador definiu outro: erro 210602',
        },
      },
    ],
  },
  {
    title: { en: 'Refund references', 'pt-BR': 'Referências de reembolso' },
    note: {
      en: 'A reference that contains the word, in any case. Any other follows the settlement mode.',
      'pt-BR':
        'Uma referência que contém a palavra, em maiúsculas ou minúsculas. Qualquer outra segue o modo de liquidação.',
    },
    rows: TEST_REFUNDS.map(({ word, meaning }) => ({ value: word, kind: '', meaning })),
  },
]

function withError(meaning: BilingualText, code: number): BilingualText {
  return { en: `${meaning.en}: error ${code}`, 'pt-BR': `${meaning['pt-BR']}: erro ${code}` }
}
