import { SETTLEMENT_FILE_BYTES_MAX, type SettlementLine } from '@cofre/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeText } from '@cofre/provider-kit/report'
import { type AcquirerFormat, linesOf, problemOf } from './read-lines.fixture.js'
import { ADYEN_LINES, CIELO_LINES, COFRE_LINES } from './settlement-files.fixture.js'

const ADYEN_HEADS =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Payment Method Variant,Modification Merchant Reference,Batch Number'
/** Lines of the report in docs.adyen.com, in BRL. */
const ADYEN = [
  ADYEN_HEADS,
  'Shop,ShopBR,8815658961765250,cofrp1042,visa,2026-11-20 11:26:49,BRT,Settled,1713702551795048,BRL,,129.90,1,BRL,,126.00,,0.90,1.00,2.00,visaclassic,,4',
  'Shop,ShopBR,8815658961765251,cofrp1043,mc,2026-11-20 11:27:49,BRT,Refunded,1713702551795049,BRL,30.00,,1,BRL,30.00,,,,,,mccredit,cofrr77,4',
  'Shop,ShopBR,8815658961765252,cofrp1044,visa,2026-11-20 11:28:49,BRT,Chargeback,1713702551795050,BRL,49.99,,1,BRL,57.49,,7.5,,,,visaclassic,,4',
  'Shop,ShopBR,8815658961765253,cofrs1045,elo,2026-11-20 11:29:49,BRT,ChargebackReversed,,BRL,,5.00,1,BRL,,5.00,,,,,elo,,4',
  'Shop,ShopBR,,,,2026-11-20 12:00:00,BRT,Fee,Transaction Fees,,,,,BRL,12.30,,,,,,,,4',
  'Shop,ShopBR,,,,2026-11-20 12:00:00,BRT,DepositCorrection,,,,,,BRL,,1.00,,,,,,,4',
  'Shop,ShopBR,,,,2026-11-20 12:00:01,BRT,MerchantPayout,"TX1, batch 4",,,,,BRL,32.21,,,,,,,,4',
].join('\n')

describe("Adyen's settlement details", () => {
  it('are read line by line, without lines of sums', async () => {
    const lines = await linesOf('adyen', ADYEN)
    expect(
      lines.map(
        ({ line, kind, transactionCode, acquirerId, brand, grossMinor, feeMinor, netMinor }) =>
          [line, kind, transactionCode, acquirerId, brand, grossMinor, feeMinor, netMinor].join(
            ' ',
          ),
      ),
    ).toEqual([
      '2 sale 1042 8815658961765250 visa 12990 390 12600',
      '3 refund 1043 8815658961765251 mc -3000 0 -3000',
      '4 chargeback 1044 8815658961765252 visa -4999 750 -5749',
      // The sandbox's payment is not one of production.
      '5 chargeback-reversed  8815658961765253 elo 500 0 500',
      '6 fee    0 1230 -1230',
      '7 other    0 -100 100',
    ])
    expect(new Set(lines.map(({ paidOn }) => paidOn))).toEqual(new Set(['2026-11-20']))
  })

  it('have their booking day, if the report has that column', async () => {
    const booked = ADYEN.split('\n').map(
      (line, i) => `${line},${i === 0 ? 'Booking Date' : '2026-11-22'}`,
    )
    const [first] = await linesOf('adyen', booked.join('\r\n'))
    expect(first?.paidOn).toBe('2026-11-22')
  })

  it.each([
    ['another table', 'a,b,c\n1,2,3', 'wrong-report 1'],
    [
      'two columns less',
      ADYEN.replace('Net Credit (NC)', 'Net').replace('Type', 'Kind'),
      'missing-column 1 Type, Net Credit (NC)',
    ],
    ['a column less', ADYEN.replace('Net Credit (NC)', 'Net'), 'missing-column 1 Net Credit (NC)'],
    [
      'another currency',
      ADYEN.replace('BRL,,126.00', 'EUR,,126.00'),
      'wrong-currency 2 Net Currency',
    ],
    ['no amount', ADYEN.replace('129.90', 'R$ 1'), 'bad-value 2 Gross Credit (GC)'],
    ['no day', ADYEN.replace('2026-11-20', '2026-02-30'), 'bad-value 2 Creation Date'],
    ['an open quotation mark', ADYEN.replace('"TX1, batch 4"', '"TX1'), 'incomplete 8'],
    ['no lines', ADYEN_HEADS, 'no-lines'],
    ['nothing', '', 'no-lines'],
    ['zeros', 'a\0b', 'not-text'],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x41, 0x00), 'not-text'],
    ['a column twice', ADYEN.replace('Batch Number', 'Type'), 'bad-value 1 Type'],
    [
      'centavos with three digits',
      ADYEN.replace('129.90', '10.005'),
      'bad-value 2 Gross Credit (GC)',
    ],
    [
      'an amount beyond all',
      ADYEN.replace('129.90', '9999999999.99'),
      'bad-value 2 Gross Credit (GC)',
    ],
    ['an endless line', `${ADYEN_HEADS}\n${'x'.repeat(100_000)}`, 'line-too-long'],
  ])('with %s is refused whole', async (_, content, problem) => {
    expect(await problemOf('adyen', content)).toContain(problem)
  })

  const resaved = (change: (line: string, i: number) => string) =>
    ADYEN.split('\n').map(change).join('\r\n')
  it.each([
    ['semicolons', resaved((line) => line.replaceAll(',', ';')), 'resaved 1'],
    ['a separator line', `sep=;\r\n${resaved((l) => l.replaceAll(',', ';'))}`, 'resaved 2'],
    ['tabs', resaved((line) => line.replaceAll(',', '\t')), 'resaved 1'],
    ['its lines as one cell each', resaved((l) => `"${l.replaceAll('"', '""')}"`), 'resaved 1'],
    [
      'one of its lines as one cell',
      resaved((l) => (l.includes('"') ? `"${l.replaceAll('"', '""')}"` : l)),
      'resaved 8',
    ],
    ['days of another order', ADYEN.replace('2026-11-20', '20/11/2026'), 'resaved 2 Creation Date'],
    [
      'days as numbers',
      ADYEN.replace('2026-11-20 11:26:49', '46346.4769'),
      'resaved 2 Creation Date',
    ],
    ['days by name', ADYEN.replace('2026-11-20', 'sex 20 nov 2026'), 'resaved 2 Creation Date'],
    [
      'narrow columns of days',
      ADYEN.replace('2026-11-20 11:26:49', '####'),
      'resaved 2 Creation Date',
    ],
    ['narrow columns of amounts', ADYEN.replace('129.90', '####'), 'resaved 2 Gross Credit (GC)'],
    ['days of the USA', ADYEN.replace('2026-11-20', '11/20/2026'), 'resaved 2 Creation Date'],
    [
      'numbers cut to six digits',
      ADYEN.replace('8815658961765250', '8.81566E+15'),
      'resaved 2 Psp Reference',
    ],
    [
      'numbers cut to six digits, with a comma',
      ADYEN.replace('1713702551795048', '"1,7137E+15"'),
      'resaved 2 Modification Reference',
    ],
    ['a comma for its point', ADYEN.replace('129.90', '"129,9"'), 'resaved 2 Gross Credit (GC)'],
  ])('that a spreadsheet has saved with %s is refused as resaved', async (_, content, problem) => {
    expect(await problemOf('adyen', content)).toBe(problem)
  })

  it('is read with rows of nothing, and a line that names its separator', async () => {
    const lines = await linesOf('adyen', `sep=,\r\n,,,\r\n${ADYEN}\n,,,,,\r\n,,\r\n\x1a`)
    const line = (of: SettlementLine) => ({ ...of, line: of.line + 2 })
    expect(lines).toEqual((await linesOf('adyen', ADYEN)).map(line))
  })

  it('with a card number among its heads is refused, and does not repeat it', async () => {
    const text = ADYEN.replace('Company Account', '4012888888881881')
    expect(await problemOf('adyen', text)).toBe('card-number 1 1')
    const long = ADYEN.replace('Company Account', 'x'.repeat(2000))
    const inIt = long.replace('Shop,ShopBR,8815', '4012888888881881,ShopBR,8815')
    expect(await problemOf('adyen', inIt)).toBe('card-number 2 1')
  })

  it('with a card number in any column is refused whole', async () => {
    const read = [
      'Psp',
      'Merchant Ref',
      'Payment Method',
      'Creation',
      'Type',
      'Modification Ref',
      'Gross',
      'Net ',
      'Batch',
    ]
    const placeOf = (head: string, i: number): string =>
      read.some((name) => head.startsWith(name)) && head !== 'Payment Method Variant'
        ? head
        : String(i + 1)

    for (const [i, head] of ADYEN_HEADS.split(',').entries())
      for (const number of ['4111111111111111', '5555 5555 5555 4444', '4111-1111-1111-1111']) {
        const lines = ADYEN.split('\n')
        const cells = lines[2]!.split(',')
        cells[i] = `a ${number}`
        lines[2] = cells.join(',')
        expect(await problemOf('adyen', lines.join('\n'))).toBe(`card-number 3 ${placeOf(head, i)}`)
      }
  })
})

// A sale, its unit and a chargeback in Cielo's layout, with fictitious names and numbers.
const KEY = 'UNIT00000001002026-08-03001000720021000000001000000000000000000000000000000000'.padEnd(
  100,
)
const at = (line: string, from: number, text: string): string =>
  line.padEnd(774).slice(0, from - 1) + text + line.padEnd(774).slice(from - 1 + text.length)
const build = (fields: readonly (readonly [number, string])[]): string =>
  fields.reduce((line, [from, text]) => at(line, from, text), '').trimEnd()
const HEADER = build([
  [1, '0'],
  [2, '1000000001'],
  [12, '20260803'],
  [43, 'CIELO04I'],
  [71, '01503N'],
])
const unit = (kind = '02', key = KEY, paid = '03082026') =>
  build([
    [1, 'D1000000001'],
    [150, kind],
    [152, key],
    [268, paid],
  ])
const detail = (over: readonly (readonly [number, string])[] = []) =>
  build([
    [1, 'E1000000001'],
    [12, '001002'],
    [18, '0000'],
    [22, '437940'],
    [28, '02'],
    [30, KEY],
    [130, '2607030210080058389'],
    [166, '4984073786'],
    [176, '046002'],
    [182, '0000000000'],
    [192, '10000000005JVVROVBAE'],
    [212, '           cofrp1042'],
    [232, '002480000000248'],
    [247, '+0000000013211+0000000013211+0000000012883-0000000000328'],
    ...over,
  ])
const trailer = (records: number) =>
  build([
    [1, '9'],
    [2, String(records).padStart(11, '0')],
  ])
const statement = (...records: string[]) =>
  [HEADER, ...records, trailer(records.length)].join('\r\n') + '\r\n'

describe("Cielo's statement of payments", () => {
  it('is read detail by detail, on the day of its unit', async () => {
    const chargeback = detail([
      [28, '08'],
      [212, '           cofrs1042'],
      [247, '-0000000001508-0000000001508-0000000001471+0000000000037'],
    ])
    const part = detail([
      [12, '007'],
      [18, '0203'],
      [28, '03'],
      [212, ' '.repeat(20)],
    ])
    const file = statement(
      unit(),
      detail(),
      unit('08'),
      chargeback,
      unit('03', KEY, '04082026'),
      part,
    )
    const lines = await linesOf('cielo', file)
    expect(new Set(lines.map(({ entryId }) => entryId)).size).toBe(3)
    expect(lines.map((line) => ({ ...line, entryId: undefined }))).toEqual([
      {
        line: 3,
        kind: 'sale',
        transactionCode: '1042',
        nsu: '046002',
        authorizationCode: '437940',
        brand: 'visa',
        grossMinor: 13_211,
        feeMinor: 328,
        netMinor: 12_883,
        paidOn: '2026-08-03',
      },
      {
        line: 5,
        kind: 'chargeback',
        nsu: '046002',
        authorizationCode: '437940',
        brand: 'visa',
        grossMinor: -1508,
        feeMinor: -37,
        netMinor: -1471,
        paidOn: '2026-08-03',
      },
      {
        line: 7,
        kind: 'sale',
        nsu: '046002',
        authorizationCode: '437940',
        brand: 'elo',
        installment: 2,
        installments: 3,
        grossMinor: 13_211,
        feeMinor: 328,
        netMinor: 12_883,
        paidOn: '2026-08-04',
      },
    ])
  })

  it.each([
    ['a Ctrl-Z on its own line', (text: string) => `${text}\x1a`],
    ['a Ctrl-Z behind its last record', (text: string) => `${text.trimEnd()}\x1a`],
    ['a Ctrl-Z and more lines of nothing', (text: string) => `${text}\x1a\r\n \r\n\f\r\n`],
    ['a block filled by NUL', (text: string) => text + '\0'.repeat(500)],
    ['carriage returns alone', (text: string) => text.replaceAll('\r\n', '\r')],
    ['line feeds alone', (text: string) => text.replaceAll('\r\n', '\n')],
    ['carriage returns doubled', (text: string) => text.replaceAll('\r\n', '\r\r\n')],
    ['two marks of UTF-8', (text: string) => `\ufeff\ufeff${text}`],
  ])('is read with %s', async (_, change) => {
    const file = statement(unit(), detail())
    expect(await linesOf('cielo', change(file))).toEqual(await linesOf('cielo', file))
  })

  it('is read behind an empty line, which counts', async () => {
    const [line] = await linesOf('cielo', `\r\n${statement(unit(), detail())}`)
    expect(line?.line).toBe(4)
  })

  it.each([
    ['of sales', statement(unit(), detail()).replace('CIELO04', 'CIELO03'), 'wrong-report 1 Opção'],
    ['of layout 14', statement(unit(), detail()).replace('015', '014'), 'wrong-report 1 Versão'],
    ['that is none', 'something else', 'wrong-report 1'],
    ['without its end', [HEADER, unit(), detail()].join('\n'), 'incomplete 4'],
    ['that lost a record', [HEADER, unit(), detail(), trailer(3)].join('\n'), 'incomplete 4'],
    ['that goes on', statement(unit(), detail()) + detail(), 'incomplete 5'],
    [
      'that goes on behind a Ctrl-Z',
      `${statement(unit(), detail())}\x1a${detail()}`,
      'incomplete 5',
    ],
    ['that goes on behind NUL', `${statement(unit(), detail())}\0${detail()}`, 'not-text'],
    ['without the unit of a detail', statement(detail()), 'incomplete 2 Chave da UR'],
    ['without a day', statement(unit('02', KEY, '31022026'), detail()), 'bad-value 2 Data'],
    ['of nothing paid out', statement(unit('02', KEY, '00000000'), detail()), 'no-lines'],
    ['without a sign', statement(unit(), detail([[261, ' ']])), 'bad-value 3 Valor bruto'],
    ['without details', statement(unit()), 'no-lines'],
    ['with a card', statement(unit(), detail([[212, '4111111111111111    ']])), 'card-number 3'],
    [
      'with a card behind',
      statement(unit(), detail([[710, ' 5555555555554444']])),
      'card-number 3',
    ],
    [
      'with a card in a unit',
      statement(`${unit().padEnd(330)} 4111111111111111`, detail()),
      'card-number 2',
    ],
  ])('%s is refused whole', async (_, content, problem) => {
    expect(await problemOf('cielo', content)).toContain(problem)
  })
})

describe('files that another hand laid out', () => {
  const shown = async (format: AcquirerFormat, lines: readonly string[]) =>
    (await linesOf(format, lines.join('\n'))).map((of) =>
      [
        of.line,
        of.kind,
        of.transactionCode,
        of.grossMinor,
        of.feeMinor,
        of.netMinor,
        of.paidOn,
      ].join(' '),
    )
  it('are read as they are meant', async () => {
    expect(await shown('adyen', ADYEN_LINES)).toEqual([
      '2 sale 1001 12990 350 12640 2026-10-01',
      '3 refund 1001 -2990 10 -3000 2026-10-02',
      '4 chargeback  -1000 250 -1250 2026-10-02',
      '5 fee  0 320 -320 2026-10-02',
      '6 other  0 -30 30 2026-10-02',
    ])
    expect(await shown('cielo', CIELO_LINES)).toEqual([
      '3 sale 1001 13211 328 12883 2026-10-05',
      '5 chargeback  -1508 -37 -1471 2026-10-05',
      '7 fee  0 4990 -4990 2026-10-05',
    ])
    expect(await shown('cofre', COFRE_LINES)).toEqual([
      '2 sale  129990 4990 125000 2026-10-01',
      '4 refund 124 -12990 0 -12990 2026-10-02',
      '5 fee  0 990 -990 2026-10-02',
    ])
  })
})

describe('a file in pieces', () => {
  it.each([
    ['adyen', ADYEN.replaceAll('ShopBR', 'Loja São João')],
    ['cielo', statement(unit(), detail())],
    ['cofre', 'date;kind;gross;fee;reference\n2026-11-20;sale;1,00;0;pedido-ç\n'],
    ['cofre', '\ufeffsep=;\r\n;;\r\ndate;kind;gross;fee\r\n2026-11-20;sale;1,00;0\r\n;;;\r\n'],
  ] as const)('of %s is the same, wherever it is cut', async (format, content) => {
    const whole = await linesOf(format, content)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(60), { maxLength: 60 }), async (sizes) => {
        expect(await linesOf(format, content, sizes)).toEqual(whole)
      }),
      { numRuns: 50 },
    )
  })

  it('is refused if it is too large, before its end arrives', async () => {
    const piece = new Uint8Array(1024 * 1024).fill(0x20)
    let sent = 0
    async function* endless() {
      for (;;) {
        sent += piece.length
        yield await Promise.resolve(piece)
      }
    }
    const reading = async () => {
      for await (const text of decodeText(endless())) expect(text).not.toBe('')
    }
    await expect(reading()).rejects.toMatchObject({ problem: 'too-large' })
    expect(sent).toBe(SETTLEMENT_FILE_BYTES_MAX + piece.length)
  })
})
