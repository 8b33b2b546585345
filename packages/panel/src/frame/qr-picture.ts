import { encodeQR } from 'qr'

/**
 * As a data URL. With four modules of quiet zone (ISO/IEC 18004); the library's background is
 * transparent, and a dark page would show through.
 */
export function qrPicture(code: string): string {
  const svg = encodeQR(code, 'svg', { ecc: 'medium', border: 4 }).replace(
    '>',
    '><rect width="100%" height="100%" fill="#fff"/>',
  )
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
