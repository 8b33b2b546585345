import { encodeQR } from 'qr'
import { pngOf } from '../../model/payer-page/png.js'

const SCALE = 6
/** Four modules of quiet zone (ISO/IEC 18004). */
const OPTIONS = { ecc: 'medium', border: 4 } as const
/** The library draws no background; a dark page would show through. */
const WHITE_GROUND = '<rect width="100%" height="100%" fill="#fff"/>'

/** A PIX code as an SVG; the label is for pages that contain it. */
export function qrSvg(code: string, label?: string): string {
  const named = label === undefined ? '' : ` role="img" aria-label="${label}"`
  return encodeQR(code, 'svg', OPTIONS).replace('>', `${named}>${WHITE_GROUND}`)
}

export function qrPng(code: string): Uint8Array<ArrayBuffer> {
  return pngOf(encodeQR(code, 'raw', OPTIONS), SCALE)
}
