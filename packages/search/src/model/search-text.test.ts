import { describe, expect, it } from 'vitest'
import { digitableLine, printedLine } from '@cofre/provider-kit/bank'
import { readSearchText } from './search-text.js'

const BARCODE = '03391234500000100009123456700000000000190101'
const LINE = digitableLine(BARCODE)
const END_TO_END_ID = 'E12345678202611211015a1B2c3D4e5F'

describe('readSearchText', () => {
  it.each(['', '   ', '\0'])('finds nothing to search in %j', (text) => {
    expect(readSearchText(text)).toEqual({ kind: 'nothing' })
  })

  it.each<[string, object, string[]]>([
    ['42,50', {}, ['amount 000000004250', 'charged 000000004250']],
    ['42.50', { reference: '42.50' }, ['amount 000000004250', 'charged 000000004250']],
    ['R$ 1.234,56', {}, ['amount 000000123456', 'charged 000000123456']],
    ['R$50', {}, ['amount 000000005000', 'charged 000000005000']],
    [
      '1234',
      { code: 1234, reference: '1234', ourNumber: '1234' },
      ['last-four 1234', 'reference 1234', 'provider 1234', 'metadata-value 1234'],
    ],
    [
      '1.234',
      { reference: '1.234' },
      ['reference 1.234', 'provider 1.234', 'metadata-value 1.234'],
    ],
    [
      '529.982.247-25',
      { reference: '529.982.247-25' },
      [
        'document 52998224725',
        'reference 529.982.247-25',
        'provider 529.982.247-25',
        'metadata-value 529.982.247-25',
      ],
    ],
    [
      '11.222.333/0001-81',
      {},
      [
        'document 11222333000181',
        'provider 11.222.333/0001-81',
        'metadata-value 11.222.333/0001-81',
      ],
    ],
    ['Maria@Example.com ', {}, ['email maria@example.com']],
    [END_TO_END_ID, { endToEndId: END_TO_END_ID }, []],
    [BARCODE, {}, [`line ${BARCODE}`]],
    [LINE, {}, [`line ${BARCODE}`]],
    [printedLine(LINE), {}, [`line ${BARCODE}`]],
    ['João D’Ávila', {}, ['name joao + name avila', 'name joao + name davila']],
    ['N’Go', {}, ['name go', 'name ngo', 'provider n’go', 'metadata-value n’go']],
    ['Mª José', {}, ['name ma + name jose']],
    ['ʿAlī Gal·la–José', {}, ['name ali + name gal + name la + name jose']],
    ['ŁUKASZ Øster-Straße', {}, ['name lukasz + name oster + name strasse']],
    ['D´Ávila & Filhos, S/A', {}, ['name avila + name filhos', 'name davila + name filhos']],
    ['Nguyễn Văn'.normalize('NFD'), {}, ['name nguyen + name van']],
    [
      'SILVA',
      { reference: 'SILVA' },
      ['name silva', 'reference silva', 'provider silva', 'metadata-value silva'],
    ],
    [
      'Pedido-7',
      { reference: 'Pedido-7' },
      ['reference pedido-7', 'provider pedido-7', 'metadata-value pedido-7'],
    ],
    [
      '8835511210681145',
      { reference: '8835511210681145', ourNumber: '8835511210681145' },
      [
        'reference 8835511210681145',
        'provider 8835511210681145',
        'metadata-value 8835511210681145',
      ],
    ],
    [
      '00001234567-P',
      { reference: '00001234567-P', ourNumber: '1234567P' },
      ['reference 00001234567-p', 'provider 00001234567-p', 'metadata-value 00001234567-p'],
    ],
    ['pedido 7', {}, []],
    ['Canal=App', {}, ['metadata canal=app', 'metadata-value canal=app']],
    ['seller.id=Loja do João', {}, ['metadata seller.id=loja do joão']],
    [
      'seller=Ana@Example.com',
      {},
      ['metadata seller=ana@example.com', 'metadata-value seller=ana@example.com'],
    ],
    ['__proto__=1', {}, ['provider __proto__=1', 'metadata-value __proto__=1']],
    ['canal=', {}, ['provider canal=', 'metadata-value canal=']],
    ['x'.repeat(121), {}, []],
  ])('takes %j for names %j and terms %j', (text, names, lookups) => {
    const found = readSearchText(text)
    const terms = found.kind === 'lookups' ? found.lookups : []
    const texts = terms.map((all) => all.map(({ kind, term }) => `${kind} ${term}`).join(' + '))
    expect({ ...found, lookups: texts }).toEqual({ kind: 'lookups', names, lookups })
  })

  it.each([
    ['16899535009', { code: 16_899_535_009 }],
    ['168.995.350-09', {}],
    ['11222333000181', { code: 11_222_333_000_181 }],
    ['11.222.333/0001-81', {}],
    ['buyer=168.995.350-09', {}],
  ])('takes the document %s for no reference of who sees them masked', (text, names) => {
    const found = { kind: 'lookups', names, lookups: [] }
    expect(readSearchText(text, 'not-searched')).toEqual(found)
    expect(readSearchText(text)).not.toEqual(found)
  })

  it.each(['4111111111111111', '4111 1111 1111 1111', '5555-5555-5555-4444'])(
    'does not search the card number %j',
    (text) => {
      expect(readSearchText(text)).toEqual({ kind: 'card-number' })
    },
  )
})
