/** Shops' usual names of the payment methods, with the error cause that names the method here. */
const METHOD_ALIASES: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    pix: ['pix'],
    boleto: ['boleto', 'bank-slip', 'bank_slip', 'bankslip'],
    card: ['card', 'credit', 'credit_card', 'creditcard', 'cartao', 'debit', 'debit-card'],
    wallet: ['wallet', 'e_wallet', 'ewallet', 'paypal', 'pagseguro'],
  }).flatMap(([cause, names]) => names.map((name) => [name, cause] as const)),
)

/** The error cause of a value that names a method in another way; undefined for others. */
export function methodOfAlias(value: unknown): string | undefined {
  return typeof value === 'string' ? METHOD_ALIASES.get(value.toLowerCase()) : undefined
}
