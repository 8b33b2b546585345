import { encodeQR } from 'qr'

/**
 * A QR code as a data URL, with a quiet zone of four modules (ISO/IEC 18004). The library's
 * background is transparent, so a dark page would show through.
 */
export function qrPicture(code: string): string {
  const svg = encodeQR(code, 'svg', { ecc: 'medium', border: 4 }).replace(
    '>',
    '><rect width="100%" height="100%" fill="#fff"/>',
  )
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
