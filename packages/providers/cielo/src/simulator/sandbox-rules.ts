import type { Decision } from './book.js'

const APPROVED: readonly string[] = ['0', '1', '4']
const DENIALS: Readonly<Record<string, readonly [code: string, message: string]>> = {
  2: ['05', 'Not Authorized'],
  3: ['57', 'Card Expired'],
  5: ['78', 'Blocked Card'],
  6: ['99', 'Time Out'],
  7: ['77', 'Card Canceled'],
  8: ['70', 'Problems with Creditcard'],
}

/** Every last digit, with Cielo's answer. */
export const DIGIT_RULES: readonly { readonly digits: string; readonly answer: string }[] = [
  { digits: APPROVED.join(', '), answer: 'Operation Successful (4, 6)' },
  ...Object.entries(DENIALS).map(([digits, [code, message]]) => ({
    digits,
    answer: `${message} (${code})`,
  })),
  { digits: '9', answer: 'NotFinished' },
]

/**
 * The outcome of an authorization, by its card's last digit: Cielo's rules for its sandbox. Nothing
 * is random here: for Cielo's random digit (9), the sale stays open until a person ends it.
 */
export function decisionFor(cardNumber: string, asksCapture: boolean): Decision {
  const digit = cardNumber.slice(-1)
  const [returnCode, returnMessage] = DENIALS[digit] ?? []
  if (returnCode !== undefined && returnMessage !== undefined)
    return { end: 'denied', returnCode, returnMessage }
  if (APPROVED.includes(digit))
    return {
      end: 'authorized',
      returnCode: asksCapture ? '6' : '4',
      returnMessage: 'Operation Successful',
    }
  return { end: 'unfinished', returnCode: '', returnMessage: '' }
}
