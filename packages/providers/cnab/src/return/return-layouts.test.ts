import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  FILE_TRAILER_240,
  HEADER_240,
  LAYOUTS_240,
  LOT_TRAILER_240,
  RECORD_240,
} from './layouts-240.js'
import { HEADER_400, LAYOUTS_400, RECORD_400 } from './layouts-400.js'
import type { Field } from '../record/record-field.js'

// Third-party tables of the same records: those of some banks, and a general one.
const judges = createRequire(import.meta.url).resolve('@banco-br/cnab_yaml/package.json')

interface JudgedField {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly picture: string
}

function fieldsIn(path: string): readonly JudgedField[] {
  let text: string
  try {
    text = readFileSync(new URL(path, `file://${judges}`), 'utf8')
  } catch {
    return []
  }
  const table = parse(text) as Record<string, { pos: [number, number]; picture: string }>
  return Object.entries(table).map(
    ([
      name,
      {
        pos: [from, to],
        picture,
      },
    ]) => ({ name, from, to, picture }),
  )
}

/** The general table applies if the bank's own table has no entry. */
function judged(general: string, own: readonly string[]): readonly JudgedField[] {
  const ownFields = own.flatMap(fieldsIn)
  const isFree = (field: JudgedField) => !ownFields.some((of) => overlap(of, field))
  return [...ownFields, ...fieldsIn(general).filter(isFree)]
}

type Span = Pick<JudgedField, 'from' | 'to'>

function overlap(one: Span, other: Span): boolean {
  return one.from <= other.to && other.from <= one.to
}

interface Judgement {
  readonly what: string
  readonly ours: Readonly<Record<string, Field | undefined>>
  readonly theirs: readonly JudgedField[]
}
const OF_400 = ['001', '033', '041', '104', '237', '341', '756']
const OF_240 = ['001', '033', '104', '756']

const JUDGEMENTS: readonly Judgement[] = [
  ...OF_400.flatMap((bank): Judgement[] => {
    const layout = LAYOUTS_400[bank]
    if (layout === undefined) throw new Error(`no layout of ${bank}`)
    const theirs = (file: string) =>
      judged(`cnab400/generic/retorno/${file}.yml`, [`cnab400/${bank}/retorno/${file}.yml`])
    const totals = layout.totals.map(({ of, field }): [string, Field] => [of, field])
    return [
      {
        what: `400 ${bank} header`,
        ours: { ...HEADER_400, ...layout.header },
        theirs: theirs('header_arquivo'),
      },
      {
        what: `400 ${bank} title`,
        ours: { ...RECORD_400, ...layout.detail, ...layout.owner },
        theirs: theirs('detalhe'),
      },
      {
        what: `400 ${bank} trailer`,
        ours: { ...RECORD_400, ...Object.fromEntries(totals) },
        theirs: theirs('trailer_arquivo'),
      },
    ]
  }),
  ...OF_240.flatMap((bank): Judgement[] => {
    const layout = LAYOUTS_240[bank]
    if (layout === undefined) throw new Error(`no layout of ${bank}`)
    const own = `cnab240/${bank}`
    const system = bank === '104' ? [`${own}/sigcb/retorno`] : [`${own}/retorno`]
    const theirs = (file: string, folder = '') =>
      judged(`cnab240/generic/${folder}${file}.yml`, [
        `${own}/${file}.yml`,
        ...system.map((of) => `${of}/${file}.yml`),
      ])
    const { sequence, segment, lot, recordType } = RECORD_240
    const frame = { sequence, segment, lot, recordType }
    return [
      {
        what: `240 ${bank} header`,
        ours: { ...HEADER_240, ...layout.header },
        theirs: theirs('header_arquivo'),
      },
      {
        what: `240 ${bank} T`,
        ours: { ...frame, ...layout.title },
        theirs: theirs('detalhe_segmento_t', 'retorno/'),
      },
      {
        what: `240 ${bank} U`,
        ours: { ...frame, ...layout.money },
        theirs: theirs('detalhe_segmento_u', 'retorno/'),
      },
      {
        what: `240 ${bank} lot trailer`,
        ours: { ...LOT_TRAILER_240, lot, recordType },
        theirs: theirs('trailer_lote'),
      },
      {
        what: `240 ${bank} trailer`,
        ours: { ...FILE_TRAILER_240, lot, recordType },
        theirs: theirs('trailer_arquivo'),
      },
    ]
  }),
]

/** Pictures that match our kinds of fields. */
const PICTURES: Readonly<Record<Field[0], RegExp>> = {
  text: /^[9X]/,
  number: /^9\(/,
  amount: /^9\(\d+\)V9\(0?2\)/,
  date: /^[9X]\(0?[68]\)$/,
  'reversed-date': /^9\(8\)$/,
}

/**
 * Differences between their columns and ours, and why ours are right. The test requires each, so
 * none is stale.
 */
const OTHERWISE: Readonly<Record<string, string>> = {
  // They join agency and account; the given file has columns for both.
  '400 001 header agency': 'codigo_cedente 27-40',
  '400 001 header account': 'codigo_cedente 27-40',
  '400 041 header agency': 'codigo_cedente 27-39',
  '400 041 header account': 'codigo_cedente 27-39',
  // They omit them.
  '400 033 header agency': '',
  '400 033 header account': '',
  // Mistakes in their tables: a date of 29 columns, nine decimals, three reasons in one place.
  '400 033 title dueOn': 'data_vencimento 147-175',
  '400 033 title title': 'data_vencimento 147-175, valor_titulo 153-165',
  '400 033 title fee': 'valor_tarifa 176-188',
  '400 033 title discount': 'desconto_concedido 241-253',
  '400 033 title interest': 'juros_mora 267-279',
  '400 033 title reasons': 'codigo_erro1 137-139, codigo_erro2 137-139, codigo_erro3 137-139',
  // They have the former system, SICOB; files are SIGCB's.
  '400 104 header agency': 'codigo_cedente 27-42',
  '400 104 header agreement': 'codigo_cedente 27-42',
  '400 104 title companyUse': 'codigo_cedente 18-33, brancos01 34-37, uso_da_empresa 38-62',
  '400 104 title ourNumber': 'nosso_numero 63-73, uso_da_empresa 38-62',
  '240 104 header agreement': 'codigo_cedente 59-70',
  // With the modality before it, as slips print it.
  '240 104 T ourNumber': 'nosso_numero 42-56',
  // Without the part after the number.
  '240 756 T ourNumber': 'nosso_numero 38-57',
  // They omit Bradesco's totals; the given file has them.
  '400 237 trailer entries': 'brancos01 8-394',
  '400 237 trailer value of the entries': 'brancos01 8-394',
  '400 237 trailer payments': 'brancos01 8-394',
  '400 237 trailer write-offs': 'brancos01 8-394',
  // The number with its check digit, as slips print it.
  '400 237 title ourNumber': 'nosso_numero 71-81, nosso_numero_dv 82-82',
  '400 756 title ourNumber': 'nosso_numero 63-73, nosso_numero_dv 74-74',
  // The code with its check digit, as the bank prints it.
  '400 756 header agreement': 'codigo_cliente 32-39, codigo_cliente_dv 40-40',
}

/** A record's fields about a payment that we don't read. */
const MONEY_OR_DAY = /^(valor|data|juros|outr|abatimento|iof|despesa|qtd)/
const UNREAD = new Set([
  // Part of the paid amount, or of the bank's fee: the sums that we read include it.
  'valor_abatimento',
  'valor_iof',
  'valor_multa',
  'valor_ajuste',
  'valor_outras_despesas',
  'valor_outras_despesas2',
  'valor_outros_creditos',
  'valor_juros_desconto',
  'valor_abatimento_nao_aproveitado',
  'outras_despesas',
  'juros_atraso',
  'iof_devido',
  'abatimento_concedido',
  'outros_creditos',
  'outro_valor',
  'iof_outros',
  'iof_desconto',
  'juros_desconto',
  'outros_recebimentos',
  'outros_recebimentos2',
  'abatimento_nao_aproveitado_pagador',
  // The day of the fee; the file's day of credit, which each title has.
  'data_debito_tarifa',
  'data_de_credito',
  'data_movimento',
])
/** Totals of the portfolio, not of the file. */
const PORTFOLIO = /^(qtdede_titulos|valor_total|qtde_titulo_cobranca|valor_total_titulo)/

describe('the columns of return files', () => {
  it("are those of others' tables, but for differences that are known", () => {
    const otherwise = JUDGEMENTS.flatMap(({ what, ours, theirs }) =>
      Object.entries(ours).flatMap(([name, field]) => {
        if (field === undefined) return []
        const [kind, from, to] = field
        const over = theirs.filter((of) => overlap(of, { from, to }))
        const [only, ...others] = over
        const isSame =
          only?.from === from &&
          only.to === to &&
          others.length === 0 &&
          PICTURES[kind].test(only.picture)
        if (isSame) return []
        return [[`${what} ${name}`, over.map((of) => `${of.name} ${of.from}-${of.to}`).join(', ')]]
      }),
    )
    expect(Object.fromEntries(otherwise)).toEqual(OTHERWISE)
  })

  it('leave out no money and no day that others read', () => {
    const unread = JUDGEMENTS.flatMap(({ ours, theirs }) => {
      const spans = Object.values(ours).flatMap((field) =>
        field === undefined ? [] : [{ from: field[1], to: field[2] }],
      )
      return theirs
        .filter((of) => MONEY_OR_DAY.test(of.name) && !PORTFOLIO.test(of.name))
        .filter((of) => !spans.some((span) => overlap(span, of)))
        .map(({ name }) => name)
    })
    expect(new Set(unread)).toEqual(UNREAD)
  })

  it('are held for every bank that others have', () => {
    expect(JUDGEMENTS.filter(({ theirs }) => theirs.length < 4)).toEqual([])
  })
})
