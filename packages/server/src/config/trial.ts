import type { Secret } from '@cofre/contracts'

/** A header of what a trial answers without its password. */
export const TRIAL_HEADER = 'Cofre-Trial'

/** They stand for every address of a machine, and lead nowhere. */
export const EVERY_ADDRESS: readonly string[] = ['0.0.0.0', '::']

/** Where others reach a trial, which `cofre dev --host` serves, and what lets them in. */
export interface Trial {
  /** A name or an address of this machine, as others type it. */
  readonly host: string
  /** What the name stands for. */
  readonly address: string
  readonly password: Secret<string>
  /** Whether this start drew the password, so that it has to be shown. */
  readonly isDrawn: boolean
  /** A chain of certificates and its key in PEM; undefined: everything travels in the clear. */
  readonly certificate: Secret<string> | undefined
}
