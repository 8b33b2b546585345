import type { Secret } from '@cofre/contracts'

/** The scopes in the document, by operation. */
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
/** Scopes of a bank that also registers boletos, with Inter's names. */
export const BOLETO_SCOPES = ['boleto-cobranca.read', 'boleto-cobranca.write'] as const
export type Scope = (typeof SCOPES)[number] | (typeof BOLETO_SCOPES)[number]

/** A receiver's account at this bank, with its system's credentials. */
export interface BankAccount {
  /** The receiver's CNPJ or CPF: a txid is unique to it, forever. */
  readonly taxId: string
  readonly name: string
  readonly city: string
  readonly pixKeys: readonly string[]
  readonly clientId: string
  /** Undefined at some banks: only the certificate signs in (RFC 8705, section 2). */
  readonly clientSecret: Secret<string> | undefined
  /** Thumbprints of the client's certificates (RFC 8705, `x5t#S256`). */
  readonly thumbprints: readonly string[]
  readonly scopes: readonly Scope[]
}
