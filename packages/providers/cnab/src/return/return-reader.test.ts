import { Buffer } from 'node:buffer'
import { SettlementFileError, type SettlementPlace } from '@cofre/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReturnLine } from '@cofre/provider-kit/bank'
import { handedOver, writtenOver } from './return-files.fixture.js'
import { turnsDuring } from '../../../../../test/turns.js'
import { readReturnFile } from './return-reader.js'
import { RECORDS_PER_TURN } from './return-records.js'

/** A file's contents: lines of each kind, and their money. */
interface Facts {
  readonly bank: string
  readonly kinds: Readonly<Record<string, number>>
  readonly paidMinor?: number
  readonly held: Readonly<Record<string, number>>
}

/**
 * Every complete given file. `records` is the number of CNAB 400's last record. Most trailers of
 * CNAB 400 state nothing more: those of banco_brasil, banrisul, bb, cef, delbank, hsbc, ourinvest,
 * pine, santander, santander_pix and sicredi are zeros, and that of bnb covers the whole portfolio.
 */
const FILES: Readonly<Record<string, Facts>> = {
  'cnab240/banco_brasil': {
    bank: '001',
    kinds: { paid: 5 },
    paidMinor: 12_880,
    held: { 'records of the lot': 12, lots: 1, records: 14 },
  },
  // Its counts of records are 1, so they count something else. See the test of its titles.
  'cnab240/btg': {
    bank: '208',
    kinds: { registered: 1, paid: 1 },
    paidMinor: 80_000,
    held: { lots: 1 },
  },
  'cnab240/caixa': {
    bank: '104',
    kinds: { paid: 9 },
    paidMinor: 101_000,
    held: { 'records of the lot': 20, lots: 1, records: 22 },
  },
  // Its count of the lot includes only titles' records; its value of titles, 54.89, matches
  // nothing.
  'cnab240/santander': {
    bank: '033',
    kinds: { paid: 1 },
    paidMinor: 1100,
    held: { 'records of the lot': 2, lots: 1, records: 6 },
  },
  'cnab400/banco_brasil': {
    bank: '001',
    kinds: { paid: 1 },
    paidMinor: 2500,
    held: { records: 3 },
  },
  'cnab400/banrisul': { bank: '041', kinds: { registered: 1 }, held: { records: 3 } },
  'cnab400/bb': { bank: '001', kinds: { registered: 1 }, held: { records: 3 } },
  'cnab400/bnb': {
    bank: '004',
    kinds: { registered: 3, paid: 7 },
    paidMinor: 1_655_516,
    held: { records: 12 },
  },
  'cnab400/bradesco': {
    bank: '237',
    kinds: { registered: 1, paid: 6 },
    paidMinor: 510,
    held: {
      records: 9,
      entries: 1,
      'value of the entries': 500,
      payments: 1,
      'write-offs': 0,
    },
  },
  'cnab400/cef': { bank: '104', kinds: { 'written-off': 1 }, held: { records: 3 } },
  'cnab400/delbank': { bank: '435', kinds: { registered: 1 }, held: { records: 3 } },
  'cnab400/fibra': {
    bank: '224',
    kinds: { registered: 6, paid: 5 },
    paidMinor: 9_543_439,
    held: { records: 13, titles: 11 },
  },
  'cnab400/hsbc': { bank: '399', kinds: { registered: 1 }, held: { records: 3 } },
  'cnab400/inter': {
    bank: '077',
    kinds: { registered: 1 },
    held: { records: 3, titles: 1, entries: 1 },
  },
  'cnab400/itau': {
    bank: '341',
    kinds: { paid: 3, other: 1 },
    paidMinor: 95_272,
    held: { records: 6, titles: 4, 'value of the titles': 189_576 },
  },
  'cnab400/ourinvest': { bank: '712', kinds: { registered: 1 }, held: { records: 3 } },
  'cnab400/pine': {
    bank: '643',
    kinds: { paid: 5 },
    paidMinor: 11_581_582,
    held: { records: 7 },
  },
  'cnab400/santander': { bank: '033', kinds: { registered: 1 }, held: { records: 3 } },
  'cnab400/santander_pix': { bank: '033', kinds: { registered: 1 }, held: { records: 4 } },
  'cnab400/sicredi': { bank: '748', kinds: { registered: 1 }, held: { records: 3 } },
}

function countedKinds(lines: readonly ReturnLine[]) {
  const kinds = Object.groupBy(lines, ({ kind }) => kind)
  return Object.fromEntries(Object.entries(kinds).map(([kind, of]) => [kind, of.length]))
}

describe('the handed-over return files', () => {
  for (const [name, { bank, kinds, paidMinor = 0, held }] of Object.entries(FILES))
    it(`reads ${name}, whose lines have the totals that its trailer states`, async () => {
      const file = await readReturnFile(await handedOver(name))
      expect(file).toMatchObject({ bank, layout: Number(name.slice(4, 7)) })
      expect(countedKinds(file.lines)).toEqual(kinds)
      const paid = file.lines.filter(({ kind }) => kind === 'paid')
      expect(paid.reduce((sum, line) => sum + line.paidMinor, 0)).toBe(paidMinor)
      expect(Object.fromEntries(file.heldTotals.map(({ of, value }) => [of, value]))).toEqual(held)
    })

  it.each([
    ['cnab400/retorno_banco_fake', 'unknown-bank', { line: 1, column: 77, found: '999' }],
    ['cnab400/retorno_banco_fake_2', 'wrong-report', { line: 1, column: 2, found: '1' }],
  ])('refuses %s: %s', async (name, problem, place) => {
    const file = await handedOver(name)
    expect(await refusalOf(file)).toMatchObject({ problem, place })
  })

  it("finds the titles that BTG's trailer counts and sums", async () => {
    const file = await handedOver('cnab240/btg')
    const trailer = file.toString('utf8').split('\r\n').at(-3) ?? ''
    const [paid] = (await readReturnFile(file)).lines.filter(({ kind }) => kind === 'paid')
    expect(trailer.slice(23, 29)).toBe('000001')
    expect(Number(trailer.slice(29, 46))).toBe(paid?.paidMinor)
  })

  it('returns all facts of a line', async () => {
    const { header, lines } = await readReturnFile(await handedOver('cnab400/itau'))
    expect(header).toEqual({
      agency: '0111',
      account: '12345',
      agreement: undefined,
      fileNumber: 112,
      writtenOn: '2013-08-22',
    })
    expect(lines[2]).toEqual({
      line: 4,
      kind: 'paid',
      code: '06',
      reasons: [],
      ourNumber: '00211842',
      ourNames: [],
      titleMinor: 39_541,
      // 392.09 was credited, after a fee of 3.33; one centavo is interest.
      paidMinor: 39_542,
      interestMinor: 1,
      discountMinor: 0,
      feeMinor: 333,
      creditMinor: 39_209,
      occurredOn: '2013-06-20',
      creditedOn: '2013-06-21',
      dueOn: undefined,
      pixTxid: undefined,
    })
  })

  it("reads Banco do Nordeste's flags of wrong fields, and no day in them", async () => {
    const file = await handedOver('cnab400/bnb')
    const flags = '0'.repeat(18) + '1' + '0'.repeat(18) + '1'
    const rejected = [
      { line: 2, column: 109, text: '51' },
      { line: 2, column: 280, text: flags },
      { line: 2, column: 147, text: '310226' },
      { line: 3, column: 109, text: '64' },
      { line: 3, column: 356, text: '1' },
    ].reduce(writtenOver, file)
    const { lines } = await readReturnFile(rejected)
    expect(lines.slice(0, 2)).toMatchObject([
      { kind: 'rejected', reasons: ['298', '317'], creditedOn: undefined, dueOn: undefined },
      { kind: 'order-refused', reasons: ['356'], creditedOn: undefined },
    ])
    expect(lines.slice(2)).toEqual((await readReturnFile(file)).lines.slice(2))
    expect(lines.at(-1)).toMatchObject({ kind: 'paid', reasons: [], creditedOn: '2017-03-08' })
  })

  it('takes the txid of a PIX from the record after its title', async () => {
    const { lines } = await readReturnFile(await handedOver('cnab400/santander_pix'))
    expect(lines).toMatchObject([{ ourNumber: '00000019', pixTxid: 'id-da-transcao-pix' }])
  })
})

/** Each line with the next one of the line ends. */
function mixedEnds(text: string, ends: readonly string[]): string {
  let count = 0
  return text.replaceAll('\r\n', () => ends[count++ % ends.length] ?? '')
}

/** The file with its first title repeated and renumbered. */
function manyTitles(file: Buffer, count: number): Buffer {
  const [header = '', title = '', ...others] = file.toString('latin1').trimEnd().split('\r\n')
  const records = [header, ...Array<string>(count).fill(title), others.at(-1) ?? '']
  const numbered = records.map(
    (record, index) => record.slice(0, 394) + String(index + 1).padStart(6, '0'),
  )
  return Buffer.from(numbered.join('\r\n'), 'latin1')
}

async function refusalOf(content: Uint8Array): Promise<SettlementFileError> {
  try {
    await readReturnFile(content)
  } catch (error) {
    if (error instanceof SettlementFileError) return error
    throw error
  }
  throw new Error('it was read')
}

describe('a return file on its way', () => {
  const name = 'cnab400/bradesco'

  it.each([
    ['line feeds alone', (text: string) => text.replaceAll('\r\n', '\n')],
    ['no newline at its end', (text: string) => text.trimEnd()],
    ['a Ctrl-Z at its end', (text: string) => `${text}\x1a`],
    ['empty lines at its end', (text: string) => `${text}\r\n\r\n`],
    ['a mark of UTF-8', (text: string) => `\u00ef\u00bb\u00bf${text}`],
    ['blanks after its records', (text: string) => text.replaceAll('\r\n', '   \r\n')],
    ['carriage returns alone', (text: string) => text.replaceAll('\r\n', '\r')],
    ['each kind of line end', (text: string) => mixedEnds(text, ['\n', '\r', '\r\n', '\f'])],
    ['carriage returns doubled', (text: string) => text.replaceAll('\r\n', '\r\r\n')],
    ['a line of blanks at its end', (text: string) => `${text}${' '.repeat(400)}\r\n`],
    ['one blank on its last line', (text: string) => `${text} \r\n`],
    ['a form feed at its end', (text: string) => `${text}\f`],
    ['a form feed on its own line', (text: string) => `${text}\f\r\n`],
    ['a Ctrl-Z on its own line', (text: string) => `${text}\x1a\r\n`],
    ['a block filled by Ctrl-Z', (text: string) => `${text.trimEnd()}${'\x1a'.repeat(500)}`],
    ['a block filled by NUL', (text: string) => `${text}${'\0'.repeat(500)}`],
    ['NUL before its line ends', (text: string) => text.replaceAll('\r\n', '\0\r\n')],
    ['a tab at its end', (text: string) => `${text}\t\r\n`],
    ['two marks of UTF-8', (text: string) => `${'\u00ef\u00bb\u00bf'.repeat(2)}${text}`],
    ['a mark at its end', (text: string) => `${text}\u00ef\u00bb\u00bf`],
    ['its first word in small letters', (text: string) => text.replace('RETORNO', 'retorno')],
  ])('is read with %s', async (_, change) => {
    const file = await handedOver(name)
    const changed = Buffer.from(change(file.toString('latin1')), 'latin1')
    expect(await readReturnFile(changed)).toEqual(await readReturnFile(file))
  })

  it('counts lines as editors do, empty ones too', async () => {
    const text = (await handedOver(name)).toString('latin1')
    const { lines } = await readReturnFile(Buffer.from(`\r\n${text}`, 'latin1'))
    const [first] = lines
    expect(first?.line).toBe(3)
  })

  it('with a mark of UTF-8 may have Latin letters', async () => {
    const inLatin = writtenOver(await handedOver(name), { line: 2, column: 38, text: '\u00e9' })
    const marked = Buffer.concat([Buffer.from('\ufeff'), inLatin])
    expect(await readReturnFile(marked)).toEqual(await readReturnFile(inLatin))
  })

  it('is refused where it has more lines than records fit in', async () => {
    const endless = Buffer.alloc(8 * 1024 * 1024, '\n')
    expect((await refusalOf(endless)).problem).toBe('too-large')
  })

  it('is refused where a line is longer than any record', async () => {
    const endless = Buffer.alloc(8 * 1024 * 1024, ' ')
    const refusal = { problem: 'wrong-length', place: { line: 1 } }
    expect(await refusalOf(endless)).toMatchObject(refusal)
  })

  it.each([
    ['its records', (file: Buffer) => manyTitles(file, 4000)],
    ['empty lines', (file: Buffer) => Buffer.concat([file, Buffer.alloc(4000, '\n')])],
    [
      'lines of blanks',
      (file: Buffer) => Buffer.concat([file, Buffer.from(`${' '.repeat(60_000)}\n`.repeat(32))]),
    ],
  ])('lets the event loop turn while %s are read', async (_, change) => {
    const file = change(await handedOver(name))
    const turns = await turnsDuring(async () => {
      await readReturnFile(file).catch((error: unknown) => {
        // A trailer may state other totals: the records before it were valid.
        expect(error).toMatchObject({ problem: 'contradiction' })
      })
    })
    expect(turns).toBeGreaterThanOrEqual(4000 / RECORDS_PER_TURN)
  })

  it.each([
    ['cnab240/caixa', 't', 'u'],
    ['cnab240/santander', 't', 'u'],
  ])('of %s is read with its segments in small letters', async (name) => {
    const file = await handedOver(name)
    const small = file
      .toString('latin1')
      .replaceAll(/^(.{13})([A-Z])/gm, (_, before: string, segment: string) =>
        before.slice(7, 8) === '3' ? before + segment.toLowerCase() : before + segment,
      )
    expect(await readReturnFile(Buffer.from(small, 'latin1'))).toEqual(await readReturnFile(file))
  })

  it('is read in Latin letters and in UTF-8', async () => {
    const inLatin = writtenOver(await handedOver(name), {
      line: 2,
      column: 38,
      text: '\u00e9\u00c7',
    })
    const inUtf8 = Buffer.from(inLatin.toString('latin1'), 'utf8')
    const [line] = (await readReturnFile(inLatin)).lines
    expect(line?.ourNames).toEqual(['\u00e9\u00c7', '15'])
    expect(await readReturnFile(inUtf8)).toEqual(await readReturnFile(inLatin))
  })
})

describe('a broken return file', () => {
  type Broken = readonly [
    what: string,
    name: string,
    change: (file: Buffer) => Buffer,
    problem: string,
    place: SettlementPlace,
  ]
  const over = (line: number, column: number, text: string) => (file: Buffer) =>
    writtenOver(file, { line, column, text })
  const without = (line: number) => (file: Buffer) =>
    Buffer.from(
      file
        .toString('latin1')
        .split('\n')
        .toSpliced(line - 1, 1)
        .join('\n'),
      'latin1',
    )
  const BROKEN: readonly Broken[] = [
    [
      'a record cut',
      'cnab400/itau',
      (file) => file.subarray(0, 1000),
      'wrong-length',
      { line: 3, column: 197, expected: '400', found: '196' },
    ],
    [
      'a record too long',
      'cnab400/itau',
      over(2, 401, 'X'),
      'wrong-length',
      { line: 2, column: 401 },
    ],
    [
      'the last record missing',
      'cnab400/itau',
      (file) => file.subarray(0, 402 * 5 - 2),
      'incomplete',
      { line: 5 },
    ],
    [
      'a record missing',
      'cnab400/itau',
      without(3),
      'wrong-sequence',
      { line: 3, column: 395, expected: '3', found: '4' },
    ],
    [
      'another kind of record',
      'cnab400/itau',
      over(3, 1, '0'),
      'wrong-record',
      { line: 3, column: 1, expected: '1', found: '0' },
    ],
    [
      'a letter in an amount',
      'cnab400/itau',
      over(3, 262, 'O'),
      'digits-expected',
      { line: 3, column: 262, found: 'O' },
    ],
    [
      'a minus in an amount',
      'cnab400/itau',
      over(3, 254, '-'),
      'digits-expected',
      { line: 3, column: 254 },
    ],
    ['no day', 'cnab400/itau', over(3, 111, '310613'), 'bad-value', { line: 3, column: 111 }],
    [
      'another count',
      'cnab400/itau',
      over(6, 220, '5'),
      'contradiction',
      { line: 6, column: 213, expected: '4', found: '5' },
    ],
    [
      'another sum',
      'cnab400/itau',
      over(3, 165, '1'),
      'contradiction',
      { line: 6, column: 221, expected: '189577', found: '189576' },
    ],
    [
      'a remittance',
      'cnab400/itau',
      over(1, 2, '1REMESSA'),
      'wrong-report',
      { line: 1, column: 2 },
    ],
    [
      'another bank inside',
      'cnab240/caixa',
      over(5, 1, '001'),
      'wrong-record',
      { line: 5, column: 1 },
    ],
    ['an unknown bank', 'cnab240/caixa', over(1, 1, '999'), 'unknown-bank', { line: 1, column: 1 }],
    [
      'another lot inside',
      'cnab240/caixa',
      over(5, 4, '0002'),
      'wrong-record',
      { line: 5, column: 4 },
    ],
    [
      'a title without its money',
      'cnab240/caixa',
      over(4, 14, 'T'),
      'wrong-record',
      { line: 4, column: 14, expected: 'U' },
    ],
    [
      'money without its title',
      'cnab240/caixa',
      over(3, 14, 'U'),
      'wrong-record',
      { line: 3, column: 14, expected: 'T' },
    ],
    [
      'money of another occurrence',
      'cnab240/caixa',
      over(4, 16, '09'),
      'wrong-record',
      { line: 4, column: 16 },
    ],
    ['a record missing', 'cnab240/caixa', without(4), 'wrong-sequence', { line: 4, column: 9 }],
    ['no trailer', 'cnab240/caixa', without(22), 'incomplete', {}],
    [
      'another count',
      'cnab240/caixa',
      over(21, 23, '1'),
      'contradiction',
      { line: 21, column: 18 },
    ],
    [
      'another count of all',
      'cnab240/caixa',
      over(22, 29, '1'),
      'contradiction',
      { line: 22, column: 24 },
    ],
    [
      'a record cut where fields are',
      'cnab240/btg',
      (file) =>
        Buffer.from(
          file
            .toString('latin1')
            .replace(/ {10}\r\n/, '\r\n')
            .replace('0000000000          \r', '00000\r'),
          'latin1',
        ),
      'wrong-length',
      { line: 3 },
    ],
    [
      'UTF-16',
      'cnab400/itau',
      (file) => Buffer.from(file.toString('latin1'), 'utf16le'),
      'not-text',
      {},
    ],
    ['nothing', 'cnab400/itau', () => Buffer.alloc(0), 'not-text', {}],
    [
      'endless marks of UTF-8',
      'cnab400/itau',
      () => Buffer.from('\ufeff'.repeat(8 * 1024 * 1024)),
      'wrong-length',
      { line: 1 },
    ],
    ['a NUL in a record', 'cnab400/itau', over(2, 40, '\0'), 'not-text', { line: 2, column: 40 }],
    ['a form feed in a record', 'cnab400/itau', over(2, 40, '\f'), 'wrong-length', { line: 2 }],
    ['a Ctrl-Z before a record', 'cnab400/itau', over(2, 1, '\x1a'), 'wrong-record', { line: 2 }],
    [
      'another file behind it',
      'cnab400/itau',
      (file) => Buffer.concat([file, Buffer.from('\x1a\r\n'), file]),
      'wrong-sequence',
      { line: 8 },
    ],
    ['no letter of a segment', 'cnab240/caixa', over(3, 14, ' '), 'wrong-record', { line: 3 }],
    [
      'segments of another service alone',
      'cnab240/caixa',
      (file) =>
        Buffer.from(file.toString('latin1').replaceAll(/^(.{7}3.{5})[TU]/gm, '$1A'), 'latin1'),
      'wrong-record',
      { line: 3, column: 14, expected: 'T', found: 'A' },
    ],
    [
      'titles of another agreement alone',
      'cnab400/bb',
      over(2, 1, '1'),
      'wrong-record',
      { line: 2, column: 1, expected: '7', found: '1' },
    ],
    ['a page', 'cnab400/itau', () => Buffer.from('<html></html>'), 'wrong-length', { line: 1 }],
  ]
  it.each(BROKEN)(
    'is refused with line and column: %s (%s)',
    async (_, name, change, problem, place) => {
      expect(await refusalOf(change(await handedOver(name)))).toMatchObject({ problem, place })
    },
  )

  it('is refused or read, whatever has become of it', async () => {
    const files = await Promise.all(
      ['cnab240/btg', 'cnab240/santander', 'cnab400/santander_pix', 'cnab400/bradesco'].map(
        handedOver,
      ),
    )
    const mutation = fc.record({
      file: fc.constantFrom(...files),
      at: fc.nat(4000),
      removed: fc.nat(30),
      bytes: fc.uint8Array({ maxLength: 12 }),
    })
    await fc.assert(
      fc.asyncProperty(mutation, async ({ file, at, removed, bytes }) => {
        const start = at % file.length
        const changed = Buffer.concat([
          file.subarray(0, start),
          bytes,
          file.subarray(start + removed),
        ])
        try {
          const { lines } = await readReturnFile(changed)
          for (const { paidMinor, titleMinor } of lines)
            expect(Number.isSafeInteger(paidMinor) && titleMinor >= 0).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(SettlementFileError)
        }
      }),
      { numRuns: 300 },
    )
  })
})
