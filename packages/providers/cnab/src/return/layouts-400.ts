// CNAB 400, bank by bank. All have the same frame; codes and the columns of names differ.
import type { HeaderFields, Layout400, MoneyFields, TitleFields } from './return-layout.js'
import { OCCURRENCES_400 } from './occurrences-400.js'

export const HEADER_400 = {
  recordType: ['text', 1, 1],
  direction: ['text', 2, 2],
  literal: ['text', 3, 9],
  bank: ['text', 77, 79],
} as const

export const RECORD_400 = {
  recordType: ['text', 1, 1],
  sequence: ['number', 395, 400],
} as const

const HEADER = { writtenOn: ['date', 95, 100] } as const satisfies HeaderFields
/** A header whose owner is a code of twenty columns. */
const CODED_HEADER = {
  ...HEADER,
  agreement: ['text', 27, 46],
  fileNumber: ['number', 109, 113],
} as const satisfies HeaderFields

const DETAIL = {
  companyUse: ['text', 38, 62],
  ourNumber: ['text', 63, 70],
  code: ['text', 109, 110],
  occurredOn: ['date', 111, 116],
  document: ['text', 117, 126],
  dueOn: ['date', 147, 152],
  title: ['amount', 153, 165],
  fee: ['amount', 176, 188],
  discount: ['amount', 241, 253],
  paid: ['amount', 254, 266],
  interest: ['amount', 267, 279],
  creditedOn: ['date', 296, 301],
} as const satisfies TitleFields & MoneyFields

/** Banks with one system: Fibra, Pine and Delbank. */
const SHARED: Layout400 = {
  recordType: '1',
  header: CODED_HEADER,
  detail: {
    ...DETAIL,
    ourNumber: ['text', 63, 73],
    reasons: ['text', 378, 385],
    creditedOn: ['date', 386, 391],
  },
  occurrences: OCCURRENCES_400.shared,
  reasonLength: 2,
  totals: [],
}

/** By the bank's code. */
export const LAYOUTS_400: Readonly<Record<string, Layout400>> = {
  // Banco do Brasil, agreements of seven digits
  '001': {
    recordType: '7',
    header: {
      ...HEADER,
      agency: ['text', 27, 30],
      account: ['text', 32, 39],
      fileNumber: ['number', 101, 107],
      agreement: ['text', 150, 156],
    },
    detail: {
      ...DETAIL,
      companyUse: ['text', 39, 63],
      ourNumber: ['text', 64, 80],
      reasons: ['text', 87, 88],
      creditedOn: ['date', 176, 181],
      fee: ['amount', 182, 188],
      credit: ['amount', 306, 318],
    },
    occurrences: OCCURRENCES_400.bancoDoBrasil,
    reasonLength: 2,
    totals: [],
  },
  // Banco do Nordeste
  '004': {
    recordType: '1',
    header: {
      ...HEADER,
      agency: ['text', 27, 30],
      account: ['text', 33, 39],
      fileNumber: ['number', 109, 113],
    },
    detail: DETAIL,
    occurrences: OCCURRENCES_400.bancoDoNordeste,
    reasonLength: 2,
    totals: [],
    flags: { field: ['text', 280, 356], creditedUnder: '06' },
  },
  // Santander
  '033': {
    recordType: '1',
    header: { ...HEADER, agency: ['text', 27, 30], account: ['text', 39, 46] },
    detail: { ...DETAIL, reasons: ['text', 137, 145] },
    occurrences: OCCURRENCES_400.santander,
    reasonLength: 3,
    totals: [],
    pix: { recordType: '2', txid: ['text', 80, 114] },
  },
  // Banrisul
  '041': {
    recordType: '1',
    header: { ...HEADER, agency: ['text', 27, 30], account: ['text', 31, 39] },
    detail: { ...DETAIL, reasons: ['text', 383, 392] },
    occurrences: OCCURRENCES_400.banrisul,
    reasonLength: 2,
    totals: [],
  },
  // Inter, whose columns are its own
  '077': {
    recordType: '1',
    header: HEADER,
    owner: { agency: ['text', 24, 27], account: ['text', 28, 36] },
    detail: {
      companyUse: ['text', 38, 62],
      ourNumber: ['text', 71, 81],
      code: ['text', 90, 91],
      occurredOn: ['date', 92, 97],
      document: ['text', 98, 107],
      dueOn: ['date', 119, 124],
      title: ['amount', 125, 137],
      paid: ['amount', 160, 172],
      creditedOn: ['date', 173, 178],
      reasons: ['text', 241, 380],
    },
    occurrences: OCCURRENCES_400.inter,
    reasonLength: 'text',
    totals: [
      { of: 'titles', field: ['number', 18, 25] },
      { of: 'entries', field: ['number', 58, 62], codes: ['02'] },
    ],
  },
  // Caixa, its system SIGCB
  '104': {
    recordType: '1',
    header: {
      ...HEADER,
      agency: ['text', 27, 30],
      agreement: ['text', 31, 36],
      fileNumber: ['number', 390, 394],
    },
    detail: {
      ...DETAIL,
      companyUse: ['text', 32, 56],
      ourNumber: ['text', 57, 73],
      reasons: ['text', 80, 82],
      creditedOn: ['date', 294, 299],
    },
    occurrences: OCCURRENCES_400.caixa,
    reasonLength: 3,
    totals: [],
  },
  // Fibra
  '224': {
    ...SHARED,
    header: { ...CODED_HEADER, agreement: ['text', 41, 46] },
    totals: [{ of: 'titles', field: ['number', 213, 220] }],
  },
  // Bradesco
  '237': {
    recordType: '1',
    header: CODED_HEADER,
    owner: { agency: ['text', 25, 29], account: ['text', 30, 36] },
    // With its check digit, as boletos by file have it.
    detail: { ...DETAIL, ourNumber: ['text', 71, 82], reasons: ['text', 319, 328] },
    occurrences: OCCURRENCES_400.bradesco,
    reasonLength: 2,
    totals: [
      { of: 'entries', field: ['number', 58, 62], codes: ['02'] },
      { of: 'value of the entries', field: ['amount', 63, 74], codes: ['02'], isSum: true },
      { of: 'payments', field: ['number', 87, 91], codes: ['06'] },
      { of: 'write-offs', field: ['number', 104, 108], codes: ['09', '10'] },
    ],
  },
  // Itaú
  '341': {
    recordType: '1',
    header: {
      ...HEADER,
      agency: ['text', 27, 30],
      account: ['text', 33, 37],
      fileNumber: ['number', 109, 113],
    },
    detail: { ...DETAIL, ourNumber: ['text', 86, 93], reasons: ['text', 378, 385] },
    occurrences: OCCURRENCES_400.itau,
    reasonLength: 2,
    totals: [
      { of: 'titles', field: ['number', 213, 220] },
      { of: 'value of the titles', field: ['amount', 221, 234], isSum: true },
    ],
    isPaidNetOfFee: true,
  },
  // HSBC, now Bradesco's: only for old files
  '399': {
    recordType: '1',
    header: { ...HEADER, agency: ['text', 28, 31], account: ['text', 38, 43] },
    detail: {
      ...DETAIL,
      ourNumber: ['text', 63, 73],
      reasons: ['text', 302, 303],
    },
    occurrences: OCCURRENCES_400.hsbc,
    reasonLength: 2,
    totals: [],
  },
  // Delbank
  '435': SHARED,
  // Pine
  '643': SHARED,
  // Ourinvest
  '712': {
    recordType: '1',
    header: { ...HEADER, agreement: ['text', 27, 46] },
    owner: { agency: ['text', 25, 29], account: ['text', 30, 36] },
    detail: { ...DETAIL, ourNumber: ['text', 71, 81], reasons: ['text', 319, 328] },
    occurrences: OCCURRENCES_400.ourinvest,
    reasonLength: 2,
    totals: [],
  },
  // Sicredi
  '748': {
    recordType: '1',
    header: {
      agreement: ['text', 27, 31],
      writtenOn: ['reversed-date', 95, 102],
      fileNumber: ['number', 111, 117],
    },
    detail: {
      ...DETAIL,
      ourNumber: ['text', 48, 62],
      companyUse: ['text', 117, 126],
      reasons: ['text', 319, 328],
      creditedOn: ['reversed-date', 329, 336],
    },
    occurrences: OCCURRENCES_400.sicredi,
    reasonLength: 2,
    totals: [],
  },
  // Sicoob
  '756': {
    recordType: '1',
    header: {
      ...HEADER,
      agency: ['text', 27, 30],
      // Code of the beneficiary, with its check digit.
      agreement: ['text', 32, 40],
      fileNumber: ['number', 101, 107],
    },
    detail: {
      ...DETAIL,
      // With its check digit.
      ourNumber: ['text', 63, 74],
      creditedOn: ['date', 176, 181],
      fee: ['amount', 182, 188],
    },
    occurrences: OCCURRENCES_400.sicoob,
    reasonLength: 2,
    totals: [{ of: 'titles', field: ['number', 164, 171] }],
  },
}
