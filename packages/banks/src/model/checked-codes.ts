import type { MinorUnits } from '@cofre/contracts'
import { type BoletoDetails, nextBusinessDay } from '@cofre/gateway/method'
import {
  type BoletoCodes,
  payerCode,
  type PixReceiver,
  barcodeOfLine,
  boletoBarcode,
  digitableLine,
} from '@cofre/provider-kit/bank'

/** The request for a boleto, and its receiver. */
export interface BoletoRequest {
  /** The bank's due date, `YYYY-MM-DD`, which a PIX code alone is checked against. */
  readonly bankDueDate: string
  readonly amountMinor: MinorUnits
  /** `YYYY-MM-DD` */
  readonly dueDate: string
  readonly receiver: PixReceiver
}

/** The codes of a boleto for its payer. */
export type CheckedCodes =
  | {
      readonly kind: 'held'
      readonly codes: Pick<BoletoDetails, 'barcode' | 'digitableLine' | 'pixCode'>
    }
  /** A code requests something else: the boleto must not be shown. */
  | { readonly kind: 'contradiction'; readonly detail: string }

/**
 * Checks the bank's codes against our own composition of them: the amount, the due date, every
 * check digit. A PIX code is checked as for any PIX.
 */
export function checkCodes(codes: BoletoCodes, asked: BoletoRequest): CheckedCodes {
  const barcode = codes.barcode ?? (codes.digitableLine && barcodeOfLine(codes.digitableLine))
  const detail = barcode === undefined ? undefined : contradictionOf(barcode, codes, asked)
  if (detail !== undefined) return { kind: 'contradiction', detail }
  if (barcode === undefined && !isDueThen(asked))
    return { kind: 'contradiction', detail: 'the bank has another due date' }
  const line = barcode === undefined ? undefined : digitableLine(barcode)
  if (codes.pixCode === undefined && codes.pixLocation === undefined) {
    return line === undefined
      ? { kind: 'contradiction', detail: 'there is nothing to pay it with' }
      : { kind: 'held', codes: { barcode, digitableLine: line } }
  }
  const pix = payerCode(
    { amountMinor: asked.amountMinor, code: codes.pixCode, location: codes.pixLocation },
    asked.receiver,
  )
  if (pix.kind === 'contradiction') return pix
  return { kind: 'held', codes: { barcode, digitableLine: line, pixCode: pix.code } }
}

/** Some banks move a due date to the next business day. */
function isDueThen({ dueDate, bankDueDate }: BoletoRequest): boolean {
  return bankDueDate === dueDate || bankDueDate === nextBusinessDay(dueDate)
}

function contradictionOf(
  barcode: string,
  { digitableLine: line = digitableLine(barcode) }: BoletoCodes,
  { amountMinor, dueDate }: BoletoRequest,
): string | undefined {
  if (!/^\d{44}$/.test(barcode)) return 'the barcode has not 44 digits'
  if (line !== digitableLine(barcode)) return 'line and barcode differ'
  const [bank, freeField] = [barcode.slice(0, 3), barcode.slice(19)]
  const composed = boletoBarcode({ bank, dueDate, amountMinor, freeField })
  if (barcode === composed) return undefined
  const differs = PARTS.find(([, ...part]) => barcode.slice(...part) !== composed.slice(...part))
  return `the barcode has another ${differs?.[0]}`
}

/** The check digit is last, because it differs whenever another part does. */
const PARTS = [
  ['currency', 3, 4],
  ['due date', 5, 9],
  ['amount', 9, 19],
  ['check digit', 4, 5],
] as const
