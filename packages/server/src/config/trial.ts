import type { Secret } from '@cofre/contracts'

/** A header of a trial's responses without its password. */
export const TRIAL_HEADER = 'Cofre-Trial'

/** They mean every address of a machine, and are no destination. */
export const EVERY_ADDRESS: readonly string[] = ['0.0.0.0', '::']

/** Address and access of a trial, which `cofre dev --host` serves. */
export interface Trial {
  /** A name or an address of this machine, as other people type it. */
  readonly host: string
  /** The address that the name resolves to. */
  readonly address: string
  readonly password: Secret<string>
  /** True if this start drew the password, which must then be shown. */
  readonly isDrawn: boolean
  /** A chain of certificates and its key in PEM; undefined: no encryption. */
  readonly certificate: Secret<string> | undefined
}
