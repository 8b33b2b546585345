// A slip on one page, as hand-written PDF 1.4.
import { formatAmount } from '@cofre/contracts'
import { pixCodeOf } from './boleto-view.js'
import type { Boleto } from './book.js'

const TOP = 780
const LEFT = 50
const LINE_HEIGHT = 18
const BAR_WIDTH = 0.9
const WIDE = 2.5
const BAR_HEIGHT = 37
const PIX_CODE_COLUMNS = 90
/** Interleaved 2 of 5: the wide ones of a digit's five bars or gaps. */
const DIGITS = [
  '00110',
  '10001',
  '01001',
  '11000',
  '00101',
  '10100',
  '01100',
  '00011',
  '10010',
  '01010',
]

/**
 * The printable boleto.
 * @throws RangeError for a boleto that was not issued
 */
export function boletoPdf(boleto: Boleto): Uint8Array {
  const { codes, terms, receiver } = boleto
  if (codes === undefined) throw new RangeError(`boleto ${boleto.code} was not issued`)
  const [year, month, day] = terms.dataVencimento.split('-')
  const lines = [
    'Banco Inter simulado (077): este boleto não vale dinheiro',
    formatLine(codes.line),
    `Beneficiário: ${receiver.name} - ${receiver.taxId}`,
    `Pagador: ${terms.pagador.nome} - ${terms.pagador.cpfCnpj}`,
    `Vencimento: ${day ?? ''}/${month ?? ''}/${year ?? ''}`,
    `Valor: R$ ${formatAmount(terms.valorNominal).replace('.', ',')}`,
    `Nosso número: ${codes.ourNumber}`,
    `Seu número: ${terms.seuNumero}`,
    ...wrap(pixCodeOf(boleto) ?? ''),
  ]
  const barsTop = TOP - lines.length * LINE_HEIGHT
  const content = [
    `BT /F1 11 Tf ${LINE_HEIGHT} TL ${LEFT} ${TOP} Td`,
    ...lines.map((line) => `(${escape(line)}) Tj T*`),
    'ET',
    bars(codes.barcode, barsTop - BAR_HEIGHT),
  ].join('\n')
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R ' +
      '/Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
  ])
}

/** The objects, numbered from one, with the table of their positions. */
function pdfOf(objects: readonly string[]): Uint8Array {
  let text = '%PDF-1.4\n'
  const starts = objects.map((object, index) => {
    const start = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return String(start).padStart(10, '0')
  })
  const size = objects.length + 1
  const table = ['0000000000 65535 f ', ...starts.map((start) => `${start} 00000 n `)].join('\n')
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(`${text}xref\n0 ${size}\n${table}\n${trailer}`, 'latin1')
}

/** Pairs of digits: the first in the bars, the second in the gaps between them. */
function bars(barcode: string, bottom: number): string {
  const pairs = barcode.match(/../g) ?? []
  const widths = pairs.flatMap(([bar, gap]) => {
    const gapWidths = DIGITS[Number(gap)] ?? ''
    return Array.from(DIGITS[Number(bar)] ?? '').flatMap((wide, index) => [wide, gapWidths[index]])
  })
  let x = LEFT
  const drawn = ['0', '0', '0', '0', ...widths, '1', '0', '0'].map((wide, index) => {
    const width = wide === '1' ? BAR_WIDTH * WIDE : BAR_WIDTH
    const start = x
    x += width
    return index % 2 === 0
      ? `${start.toFixed(2)} ${bottom} ${width.toFixed(2)} ${BAR_HEIGHT} re f`
      : ''
  })
  return drawn.filter((bar) => bar !== '').join('\n')
}

function formatLine(line: string): string {
  return line.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8')
}

function wrap(text: string): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / PIX_CODE_COLUMNS) }, (_, index) =>
    text.slice(index * PIX_CODE_COLUMNS, (index + 1) * PIX_CODE_COLUMNS),
  )
}

/** Latin-1, with PDF's delimiters of text escaped. */
function escape(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '?').replaceAll(/[\\()]/g, String.raw`\$&`)
}
