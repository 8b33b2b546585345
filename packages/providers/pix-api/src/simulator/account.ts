import type { Secret } from '@cofre/contracts'

/** The rights that the document gives, by operation. */
export const SCOPES = [
  'cob.read',
  'cob.write',
  'cobv.read',
  'cobv.write',
  'pix.read',
  'pix.write',
  'webhook.read',
  'webhook.write',
] as const
/** Those of a bank that registers boletos too, in Inter's words. */
export const BOLETO_SCOPES = ['boleto-cobranca.read', 'boleto-cobranca.write'] as const
export type Scope = (typeof SCOPES)[number] | (typeof BOLETO_SCOPES)[number]

/** A receiver's account at this bank, with what its system signs in by. */
export interface BankAccount {
  /** The receiver's CNPJ or CPF: a txid is unique to it, for ever. */
  readonly taxId: string
  readonly name: string
  readonly city: string
  readonly pixKeys: readonly string[]
  readonly clientId: string
  /** Some banks give none: the certificate alone signs in (RFC 8705, section 2). */
  readonly clientSecret: Secret<string> | undefined
  /** Of the certificates that this client may use (RFC 8705, `x5t#S256`). */
  readonly thumbprints: readonly string[]
  readonly scopes: readonly Scope[]
}
