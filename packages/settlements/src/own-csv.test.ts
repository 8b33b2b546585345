import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { linesOf, problemOf } from '../../providers/index/src/settlement/read-lines.fixture.js'

describe('a CSV of our own', () => {
  it.each(['docs/settlements.md', 'docs/pt-BR/settlements.md'])(
    'is read as %s has it',
    async (page) => {
      const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf-8')
      const [, csv = ''] = /```csv\n([^`]*)```/.exec(text) ?? []
      const lines = await linesOf('cofre', csv)
      expect(lines.map(({ kind, netMinor, paidOn }) => `${kind} ${netMinor} ${paidOn}`)).toEqual([
        'sale 9700 2026-11-20',
        'sale 4204 2026-11-20',
        'refund -10000 2026-11-21',
        'fee -990 2026-11-21',
      ])
      // Each row of the table names its columns.
      const [, table = ''] = /\| (?:column|coluna) \|[^\n]*\n([^#]*)/.exec(text) ?? []
      for (const column of csv.split('\n', 1)[0]?.split(';') ?? [])
        expect(table).toContain(`\`${column}\``)
    },
  )

  const LINES = [
    'date;kind;gross;fee;net;reference;transaction_code;nsu;authorization_code;brand;installment;installments',
    "2026-11-20;sale;1.299,90;29,90;1270,00;order-1;;'001234;A1;Visa;1;3",
    '21/11/2026;Estorno;-10;0;;order-1;;;;;;',
    '2026-11-21;tarifa;0,00;;-9,9;;;;;;;',
  ]
  it('is read as spreadsheets of Brazil write it', async () => {
    const none = { transactionCode: undefined, acquirerId: undefined }
    expect(await linesOf('cofre', `\uFEFF${LINES.join('\r\n')}`)).toEqual([
      {
        ...none,
        line: 2,
        kind: 'sale',
        reference: 'order-1',
        nsu: '001234',
        authorizationCode: 'A1',
        brand: 'visa',
        installment: 1,
        installments: 3,
        grossMinor: 129_990,
        feeMinor: 2_990,
        netMinor: 127_000,
        paidOn: '2026-11-20',
      },
      expect.objectContaining({
        kind: 'refund',
        grossMinor: -1_000,
        feeMinor: 0,
        netMinor: -1_000,
      }),
      expect.objectContaining({ kind: 'fee', grossMinor: 0, feeMinor: 990, netMinor: -990 }),
    ])
  })

  it('is read in Latin-1, as spreadsheets save it', async () => {
    const text = 'date;kind;gross;fee;reference\n2026-11-20;sale;1,00;0;pedido-çã\n'
    const [utf8] = await linesOf('cofre', text)
    const [latin] = await linesOf('cofre', Buffer.from(text, 'latin1'))
    expect([utf8?.reference, latin?.reference]).toEqual(['pedido-çã', 'pedido-çã'])
  })

  it('is read with commas, and columns in any order', async () => {
    const [line] = await linesOf('cofre', 'Net,Gross,Kind,Date\n97.00,100.00,sale,2026-11-20\n')
    expect(line).toMatchObject({ grossMinor: 10_000, feeMinor: 300, netMinor: 9_700 })
  })

  const HEADS = 'date;kind;gross;fee;net;reference'
  const SALE = '2026-11-20;venda;100,03;3,00;97,03;pedido-3'
  const plain = () => linesOf('cofre', `${HEADS}\n${SALE}\n`)
  it.each([
    ['a line that names its separator', `sep=;\r\n${HEADS}\r\n${SALE}\r\n`],
    ['that line in quotation marks', `"sep=;"\r\n${HEADS}\r\n${SALE}\r\n`],
    ['that line filled up', `SEP=;;;;;\n${HEADS}\n${SALE}\n`],
    ['empty rows at its end', `${HEADS}\r\n${SALE}\r\n;;;;;\r\n;;;;;\r\n`],
    ['rows of blanks', `;;;;;\n${HEADS}\n;;\n${SALE}\n ;\u00a0;;;;\n"";"";;;;\n\t\n`],
    ['cells too many, all empty', `${HEADS};;;\n${SALE};;;;;\n`],
    ['a Ctrl-Z on its own line', `${HEADS}\n${SALE}\n\x1a`],
    ['each kind of line end', `${HEADS}\r\n\n${SALE}\r;;;;;\n\r`],
    ['two marks of UTF-8', `\ufeff\ufeff${HEADS}\n${SALE}\n`],
    ['tabs', `${HEADS}\n${SALE}\n`.replaceAll(';', '\t')],
    ['a separator with blanks', ` sep = ;\r\n${HEADS}\r\n${SALE}\r\n`],
    ['marks that are not seen', `\u200b${HEADS}\n${SALE.replace('venda', '\u200evenda')}\n`],
    ['rows of marks that are not seen', `${HEADS}\n\u200b;\u2060;;\n${SALE}\n\u00ad;;;;;\n`],
    ['a formula that keeps a text', `${HEADS}\n${SALE.replace('pedido-3', '"=""pedido-3"""')}\n`],
    ['quotation marks', `${HEADS}\n${SALE}\n`.replaceAll(/[^;\n]+/g, '"$&"')],
  ])('is read with %s', async (_, content) => {
    const [line, ...others] = await linesOf('cofre', content)
    const [expected] = await plain()
    expect([{ ...line, line: 2 }, ...others]).toEqual([expected])
  })

  it.each([
    '100,03',
    '+100,03',
    'R$ 100,03',
    'R$100,03',
    'r$\u00a0100,03',
    'R$\u202f100,03',
    ' R$ \u2009 100,03 ',
    '\u200eR$ 100,03',
    '100,03 R$',
    'BRL 100.03',
    "'100,03",
  ])('takes %j for an amount, and its opposites in each spelling', async (amount) => {
    const sale = SALE.replace('100,03', amount)
    expect(await linesOf('cofre', `${HEADS}\n${sale}\n`)).toEqual(await plain())
    const bare = amount.replace(/^'/, '').replace('+', '')
    const minuses = ['-', '\u2212', '\u2010', '\u2013', '\uff0d'].flatMap((minus) => [
      minus + bare,
      `${minus} ${bare}`,
      bare.replace('100', `${minus}100`),
      `${bare.trim()}${minus}`,
    ])
    const written = [...minuses, `(${bare})`, bare.replace(/[\d.,]+/, '($&)')]
    for (const back of written) {
      const [line] = await linesOf('cofre', `date;kind;gross;fee\n2026-11-20;reembolso;${back};0\n`)
      expect([back, line?.grossMinor]).toEqual([back, -10_003])
    }
  })

  it.each([
    ['R$ 1.299,90', 129_990],
    ['1\u00a0299,90', 129_990],
    ['R$ 1.299.000,9', 129_900_090],
    ['R$ -', 0],
    [' R$ -   ', 0],
    ['-', 0],
    ['(0,00)', 0],
  ])('reads %j in centavos', async (amount, minor) => {
    const [line] = await linesOf('cofre', `date;kind;gross;fee\n2026-11-20;outro;${amount};0\n`)
    expect(line?.grossMinor).toBe(minor)
  })

  it.each(['(-1,00)', '-(1,00)', '--1,00', '-1,00-', '1,00)', '(1,00', 'R$', '()', 'US$ 1,00'])(
    'refuses %j for an amount, and shows how one is written',
    async (amount) => {
      const reading = linesOf('cofre', `date;kind;gross;fee\n2026-11-20;outro;${amount};0\n`)
      const place = { line: 2, field: 'gross', expected: '1.299,90' }
      await expect(reading).rejects.toMatchObject({ problem: 'bad-value', place })
    },
  )

  it.each([
    '20/11/2026',
    '20-11-2026',
    '20.11.2026',
    '2026/11/20',
    '20/11/2026 14:05',
    '20/11/2026 14:05:09',
    '20/11/2026\u00a014:05',
    '20-11-2026, 2:05 PM',
    '20/11/2026 14h05',
    '2026-11-20 14:05:09',
    '2026-11-20T14:05:09.123-03:00',
    "'20/11/2026",
  ])('takes %j for a day', async (day) => {
    expect(await linesOf('cofre', `${HEADS}\n${SALE.replace('2026-11-20', day)}\n`)).toEqual(
      await plain(),
    )
  })

  it.each([
    ['2/3/2026', '2026-03-02'],
    ['2-3-2026 9:05', '2026-03-02'],
    ['12/3/2026', '2026-03-12'],
    ['2026-3-2', '2026-03-02'],
  ])('reads the day %s as %s', async (day, expected) => {
    const [line] = await linesOf('cofre', `${HEADS}\n${SALE.replace('2026-11-20', day)}\n`)
    expect(line?.paidOn).toBe(expected)
  })

  it.each(['11/20/2026', '20/11/26', '20/11', '20112026', '46346', '20/11/2026 x', '20/11-2026'])(
    'refuses %j for a day, and shows how one is written',
    async (day) => {
      const reading = linesOf('cofre', `${HEADS}\n${SALE.replace('2026-11-20', day)}\n`)
      const place = { line: 2, field: 'date', expected: '2026-11-20, 20/11/2026' }
      await expect(reading).rejects.toMatchObject({ problem: 'bad-value', place })
    },
  )

  it.each([
    ['data;tipo;bruto', 'wrong-report 1'],
    ['date;tipo;bruto;fee', 'missing-column 1 kind, gross'],
    ['date;kind;gross', 'missing-column 1 fee|net'],
    ['"date;kind;gross;fee"', 'resaved 1'],
  ])('with the heading %s says what is wrong', async (heads, problem) => {
    expect(await problemOf('cofre', `${heads}\n${SALE}\n`)).toBe(problem)
  })

  it('with the heading of another table names the columns that it needs', async () => {
    const place = { line: 1, expected: 'date, kind, gross, fee|net' }
    await expect(linesOf('cofre', 'data;tipo;bruto\n')).rejects.toMatchObject({ place })
  })

  it.each([
    ['a number cut by a spreadsheet', '8,81566E+15', 'resaved 2 reference'],
    ['a cell beyond its columns', 'pedido;3', 'bad-value 2 7'],
  ])('with %s is refused whole', async (_, cell, problem) => {
    const row = SALE.replace('pedido-3', cell)
    expect(await problemOf('cofre', `${HEADS}\n${row}\n`)).toBe(problem)
  })

  it('leaves other work its turn among rows of nothing', async () => {
    let turns = 0
    let isRead = false
    const turn = () => {
      turns += 1
      if (!isRead) setImmediate(turn)
    }
    setImmediate(turn)
    const rows = ';\n'.repeat(20_000)
    expect(await linesOf('cofre', `${HEADS}\n${rows}${SALE}\n`)).toHaveLength(1)
    isRead = true
    expect(turns).toBeGreaterThan(5)
  })

  it('is read in Windows-1252, whose letters Latin-1 has not', async () => {
    const bytes = Buffer.from(`${HEADS}\n${SALE}-D\x92\xc1vila\n`, 'latin1')
    expect((await linesOf('cofre', bytes))[0]?.reference).toBe('pedido-3-D\u2019\u00c1vila')
  })

  it.each([
    ['a kind that is none', 'x;1,00;0,00;2026-11-20', 'bad-value 2 kind'],
    ['a net that does not fit', 'sale;1,00;0,10;2026-11-20;1,00', 'bad-value 2 net'],
    ['neither fee nor net', 'sale;1,00;;2026-11-20', 'bad-value 2 net'],
    ['a day of no calendar', 'sale;1,00;0;31/02/2026', 'bad-value 2 date'],
    ['an amount with three decimals', 'sale;1,001;0;2026-11-20', 'bad-value 2 gross'],
    ['an amount beyond all', `sale;${'9'.repeat(20)};0;2026-11-20`, 'bad-value 2 gross'],
    ['thousands without centavos', 'sale;1.299;0;2026-11-20', 'bad-value 2 gross'],
    ['a refund that comes in', 'estorno;1,00;0;2026-11-20', 'bad-value 2 gross'],
    ['a sale that goes out', 'sale;-1,00;0;2026-11-20', 'bad-value 2 gross'],
    ['a code that is none', 'sale;1,00;0;2026-11-20;;abc', 'bad-value 2 transaction_code'],
    ['an endless name', `sale;1,00;0;2026-11-20;;;${'x'.repeat(200)}`, 'bad-value 2 reference'],
  ])('with %s is refused whole', async (_, line, problem) => {
    const heads = 'kind;gross;fee;date;net;transaction_code;reference'
    expect(await problemOf('cofre', `${heads}\n${line}\n`)).toBe(problem)
  })
})
