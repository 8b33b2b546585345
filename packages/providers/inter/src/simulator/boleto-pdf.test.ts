import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  BinaryBitmap,
  DecodeHintType,
  GlobalHistogramBinarizer,
  ITFReader,
  RGBLuminanceSource,
} from '@zxing/library'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestInter, openTestInter } from '../../test/simulated-inter.js'
import { needs } from '../../../../../test/needs.js'

/** The digits of an Interleaved 2 of 5 barcode somewhere on a page, as a raw PGM. */
function scanBarcode(file: Buffer): string {
  const [head = '', width, height] =
    /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1')) ?? []
  const luminances = new Uint8ClampedArray(file.subarray(head.length))
  const source = new RGBLuminanceSource(luminances, Number(width), Number(height))
  const hints = new Map<DecodeHintType, unknown>([
    [DecodeHintType.ALLOWED_LENGTHS, Int32Array.of(44)],
    [DecodeHintType.TRY_HARDER, true],
  ])
  return new ITFReader()
    .decode(new BinaryBitmap(new GlobalHistogramBinarizer(source)), hints)
    .getText()
}

describe("Inter's slip", () => {
  let inter: TestInter
  let folder: string
  beforeAll(async () => {
    inter = await openTestInter()
    folder = mkdtempSync(path.join(tmpdir(), 'cofre-slip-'))
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    await inter.close()
  })

  it(
    'is a PDF for third-party programs: its texts, and its barcode as it is drawn',
    needs('poppler-utils'),
    async () => {
      const code = await inter.take('PEDIDO1042')
      const { boleto, pix } = await inter.read(code)
      const { json } = await inter.call('GET', `/cobrancas/${code}/pdf`)
      const file = path.join(folder, 'slip.pdf')
      writeFileSync(file, Buffer.from((json as { pdf: string }).pdf, 'base64'))
      const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
      expect(text.replaceAll(/[ .]/g, '')).toContain(boleto?.linhaDigitavel)
      expect(text.replaceAll('\n', '')).toContain(pix?.pixCopiaECola)
      for (const part of ['129,90', 'PEDIDO1042', 'Ana (Maria) Gonçalves', 'São José'])
        expect(text).toContain(part)
      const picture = path.join(folder, 'slip')
      execFileSync('pdftoppm', ['-r', '200', '-gray', '-singlefile', file, picture])
      expect(scanBarcode(readFileSync(`${picture}.pgm`))).toBe(boleto?.codigoBarras)
    },
  )

  it('is not there before the boleto was issued', async () => {
    inter.inter.conditions.issue = 'held'
    const code = await inter.take('PEDIDO1043')
    expect((await inter.call('GET', `/cobrancas/${code}/pdf`)).status).toBe(400)
  })
})
