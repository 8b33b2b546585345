// CNAB 240 of FEBRABAN, version 8 and later, service 01 (collection): segments T and U.
import type { Layout240 } from './return-layout.js'

export const HEADER_240 = {
  bank: ['text', 1, 3],
  lot: ['text', 4, 7],
  recordType: ['text', 8, 8],
  direction: ['text', 143, 143],
} as const

export const RECORD_240 = {
  lot: ['text', 4, 7],
  recordType: ['text', 8, 8],
  sequence: ['number', 9, 13],
  segment: ['text', 14, 14],
  part: ['text', 18, 19],
} as const

export const LOT_TRAILER_240 = { records: ['number', 18, 23] } as const
export const FILE_TRAILER_240 = {
  lots: ['number', 18, 23],
  records: ['number', 24, 29],
} as const

const FEBRABAN: Layout240 = {
  header: {
    agreement: ['text', 33, 52],
    agency: ['text', 53, 57],
    account: ['text', 59, 70],
    writtenOn: ['date', 144, 151],
    fileNumber: ['number', 158, 163],
  },
  title: {
    code: ['text', 16, 17],
    ourNumber: ['text', 38, 57],
    document: ['text', 59, 73],
    dueOn: ['date', 74, 81],
    title: ['amount', 82, 96],
    companyUse: ['text', 106, 130],
    fee: ['amount', 199, 213],
    reasons: ['text', 214, 223],
  },
  money: {
    interest: ['amount', 18, 32],
    discount: ['amount', 33, 47],
    paid: ['amount', 78, 92],
    credit: ['amount', 93, 107],
    occurredOn: ['date', 138, 145],
    creditedOn: ['date', 146, 153],
  },
  occurrences: {
    registered: '02',
    rejected: '03',
    paid: '06 17',
    'written-off': '09 25',
    fee: '28',
    protest: '19 20 23 24',
    changed: '07 08 12 13 14 27 33 34 38 39 40 41 42 43 55 56 57 58 59 60 61 64 65',
    'order-refused': '26 30',
    reversed: '44',
  },
  lotCount: 'all',
  isRecordCountHeld: true,
  isPadded: false,
}

/** By the bank's code. */
export const LAYOUTS_240: Readonly<Record<string, Layout240>> = {
  // Banco do Brasil
  '001': { ...FEBRABAN, header: { ...FEBRABAN.header, agreement: ['text', 33, 41] } },
  // Santander, whose columns are its own
  '033': {
    ...FEBRABAN,
    header: {
      agency: ['text', 33, 36],
      account: ['text', 38, 46],
      agreement: ['text', 53, 61],
      writtenOn: ['date', 144, 151],
      fileNumber: ['number', 158, 163],
    },
    title: {
      code: ['text', 16, 17],
      ourNumber: ['text', 41, 53],
      document: ['text', 55, 69],
      dueOn: ['date', 70, 77],
      title: ['amount', 78, 92],
      companyUse: ['text', 101, 125],
      fee: ['amount', 194, 208],
      reasons: ['text', 209, 218],
    },
    pixTxid: ['text', 159, 193],
    lotCount: 'all-or-titles',
  },
  // Caixa, its system SIGCB
  '104': {
    ...FEBRABAN,
    header: { ...FEBRABAN.header, agreement: ['text', 59, 64] },
    title: {
      ...FEBRABAN.title,
      // Modality of two digits, then fifteen digits.
      ourNumber: ['text', 40, 56],
      document: ['text', 59, 69],
    },
    occurrences: {
      ...FEBRABAN.occurrences,
      changed: '07 08 12 13 14 27 36 45 61 62',
      'order-refused': '26 30 39 40 41',
      reversed: '44 47',
    },
  },
  // Sicoob, whose field has the number's ten digits, then part, modality and kind of form
  '756': { ...FEBRABAN, title: { ...FEBRABAN.title, ourNumber: ['text', 38, 47] } },
  // BTG Pactual, whose own example states the lot's titles instead of its records
  '208': { ...FEBRABAN, lotCount: 'not-held', isRecordCountHeld: false, isPadded: true },
}
