// Turns the gateway's images into pixels without its own code, and reads them with ZXing.
import { crc32, inflateSync } from 'node:zlib'
import {
  BinaryBitmap,
  DecodeHintType,
  GlobalHistogramBinarizer,
  ITFReader,
  QRCodeReader,
  RGBLuminanceSource,
} from '@zxing/library'

/** Brightness of each pixel, row by row: 0 is black, 255 white. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly luminances: Uint8ClampedArray
}

const WHITE = 255
const BLACK = 0

/** Draws the black rectangles of an SVG's only path on white, `scale` pixels a unit. */
export function rasterise(svg: string, scale: number): Picture {
  const [, unitsWide, unitsHigh] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
  const [, path = ''] = /<path d="([^"]+)"/.exec(svg) ?? []
  const width = Number(unitsWide) * scale
  const height = Number(unitsHigh) * scale
  const luminances = new Uint8ClampedArray(width * height).fill(WHITE)
  for (const { left, top, right, bottom } of rectanglesOf(path)) {
    for (let y = top * scale; y < bottom * scale; y++) {
      luminances.fill(BLACK, y * width + left * scale, y * width + right * scale)
    }
  }
  return { width, height, luminances }
}

interface Rectangle {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The bounds of each closed part of a path that has only horizontal and vertical lines. */
function rectanglesOf(path: string): Rectangle[] {
  let [x, y] = [0, 0]
  let corners: [number, number][] = []
  const rectangles: Rectangle[] = []
  for (const [, command = '', rest = ''] of path.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const [first = 0, second = 0] = (rest.match(/-?\d+/g) ?? []).map(Number)
    if (command === 'Z' || command === 'z') {
      const [xs, ys] = [corners.map(([at]) => at), corners.map(([, at]) => at)]
      rectangles.push({
        left: Math.min(...xs),
        top: Math.min(...ys),
        right: Math.max(...xs),
        bottom: Math.max(...ys),
      })
      ;[x, y] = corners[0] ?? [0, 0]
      continue
    }
    switch (command) {
      case 'M':
        ;[x, y] = [first, second]
        break
      case 'm':
        ;[x, y] = [x + first, y + second]
        break
      case 'H':
        x = first
        break
      case 'h':
        x += first
        break
      case 'v':
        y += first
        break
      default:
        throw new Error(`a path with the command ${command} is not of rectangles`)
    }
    corners = command === 'M' || command === 'm' ? [[x, y]] : [...corners, [x, y]]
  }
  return rectangles
}

const PNG_SIGNATURE = '89504e470d0a1a0a'

/** Reads a greyscale PNG of one bit a pixel without filters, and checks its checksums. */
export function readPng(bytes: Uint8Array): Picture {
  const file = Buffer.from(bytes)
  if (file.subarray(0, 8).toString('hex') !== PNG_SIGNATURE) throw new Error('not a PNG')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at)
    const body = file.subarray(at + 4, at + 8 + length)
    if (crc32(body) !== file.readUInt32BE(at + 8 + length)) throw new Error('a wrong checksum')
    chunks.set(body.subarray(0, 4).toString('ascii'), body.subarray(4))
    at += 12 + length
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(13)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  if (header.subarray(8).toString('hex') !== '0100000000') throw new Error('not one bit of grey')
  const rows = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0))
  const rowBytes = 1 + Math.ceil(width / 8)
  if (rows.length !== rowBytes * height) throw new Error('rows are missing')
  const luminances = new Uint8ClampedArray(width * height)
  for (let y = 0; y < height; y++) {
    if (rows[y * rowBytes] !== 0) throw new Error('a row has a filter')
    for (let x = 0; x < width; x++) {
      const byte = rows[y * rowBytes + 1 + (x >> 3)] ?? 0
      luminances[y * width + x] = (byte & (0x80 >> (x & 7))) === 0 ? BLACK : WHITE
    }
  }
  return { width, height, luminances }
}

export function scanBarcode(picture: Picture): string {
  const bitmap = new BinaryBitmap(new GlobalHistogramBinarizer(sourceOf(picture)))
  const hints = new Map<DecodeHintType, unknown>([
    [DecodeHintType.ALLOWED_LENGTHS, Int32Array.of(44)],
  ])
  return new ITFReader().decode(bitmap, hints).getText()
}

export function scanQr(picture: Picture): string {
  // The picture contains only the code: ZXing sometimes fails to find one in a scene.
  const hints = new Map<DecodeHintType, unknown>([[DecodeHintType.PURE_BARCODE, true]])
  const bitmap = new BinaryBitmap(new GlobalHistogramBinarizer(sourceOf(picture)))
  return new QRCodeReader().decode(bitmap, hints).getText()
}

function sourceOf({ width, height, luminances }: Picture): RGBLuminanceSource {
  return new RGBLuminanceSource(luminances, width, height)
}
