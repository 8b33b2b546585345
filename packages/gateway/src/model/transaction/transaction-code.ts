import { type Brand, TRANSACTION_CODE } from '@cofre/contracts'
import { z } from 'zod'

/**
 * A transaction's number: at most 15 digits, ordered by time, not guessable. A string on most of
 * the wire.
 */
export type TransactionCode = Brand<number, 'TransactionCode'>

export const transactionCodeSchema = z
  .string()
  .regex(TRANSACTION_CODE)
  .transform((digits) => Number(digits) as TransactionCode)

const EPOCH_MS = Date.UTC(2025, 0, 1)
/**
 * Fine enough that new rows lie together at a table's end, whatever the load: fewer pages change
 * with each commit.
 */
const STEP_MS = 10
/** Codes in one step. Eleven digits of steps last until 2056. */
const CODES_PER_STEP = 10_000

/**
 * Draws a code; two draws in one step may collide, so the store refuses a taken one and the caller
 * draws again.
 * @param randomBelow - A uniform integer from 0 up to, not including, its argument.
 */
export function drawTransactionCode(
  nowMs: number,
  randomBelow: (limit: number) => number,
): TransactionCode {
  const step = Math.floor((nowMs - EPOCH_MS) / STEP_MS)
  return (step * CODES_PER_STEP + randomBelow(CODES_PER_STEP)) as TransactionCode
}

const PUBLIC_ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/**
 * 95 bits; short, because an address that holds it has at most 64 characters (specification,
 * section 2.3).
 */
export const PUBLIC_ID_LENGTH = 16

/** Whether {@link drawPublicId} could have drawn the text. What cannot be one is not looked for. */
export function isPublicId(text: string): boolean {
  return text.length === PUBLIC_ID_LENGTH && /^[A-Za-z0-9]+$/.test(text)
}

/** Draws a name for addresses that a payer opens. */
export function drawPublicId(randomBelow: (limit: number) => number): string {
  const draw = (): string => PUBLIC_ID_ALPHABET.charAt(randomBelow(PUBLIC_ID_ALPHABET.length))
  return Array.from({ length: PUBLIC_ID_LENGTH }, draw).join('')
}
