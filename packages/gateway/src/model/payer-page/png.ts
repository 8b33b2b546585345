// Portable Network Graphics (ISO/IEC 15948): one bit a pixel, black on white.
import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const GREYSCALE = 0

/** A picture of square modules. @param scale - Pixels a module. */
export function pngOf(
  modules: readonly (readonly boolean[])[],
  scale: number,
): Uint8Array<ArrayBuffer> {
  const size = modules.length * scale
  const isDark = (x: number, y: number): boolean =>
    modules[Math.floor(y / scale)]?.[Math.floor(x / scale)] === true
  const rowBytes = Math.ceil(size / 8)
  const pixels = Buffer.alloc(size * (rowBytes + 1), 0xff)
  for (let y = 0; y < size; y++) {
    const row = y * (rowBytes + 1)
    pixels[row] = 0
    for (let x = 0; x < size; x++) {
      const byte = row + 1 + (x >> 3)
      if (isDark(x, y)) pixels[byte] = (pixels[byte] ?? 0) & ~(0x80 >> (x & 7))
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([1, GREYSCALE, 0, 0, 0], 8)
  return new Uint8Array(
    Buffer.concat([
      SIGNATURE,
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(pixels)),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
