/**
 * Who may not buy: payers' documents and e-mails (specification, section 7.4, 210603 and 210604).
 */
export interface PayerBlocklist {
  /**
   * @param payer - CPF, CNPJ or e-mail, in any case and punctuation.
   * @param by - Whether the operator blocked the payer (210603) or the payment provider did
   * (210604).
   */
  block(payer: string, by: 'operator' | 'provider'): Promise<void>
  /** False when the payer was not blocked. */
  unblock(payer: string): Promise<boolean>
}

/**
 * The form in which payers are compared: an e-mail in lower case, a document without punctuation.
 */
export function blockedPayer(payer: string): string {
  const text = payer.trim()
  return text.includes('@') ? text.toLowerCase() : text.replaceAll(/[./-]/g, '').toUpperCase()
}
