import type { Secret } from '@cofre/contracts'

/** Whoever else keeps a copy of stores' secrets, as the test store's file does. */
export interface SecretKeeper {
  /** The configuration variable that fixes the store's secret; undefined when it may be rotated. */
  fixedBy(storeId: string): string | undefined
  /** Takes over a new secret before the sandbox does. A rejected promise stops the rotation. */
  keep(storeId: string, secret: Secret<string>): Promise<void>
}

/** Nobody else keeps secrets. */
export const NO_SECRET_KEEPER: SecretKeeper = {
  fixedBy: () => undefined,
  keep: () => Promise.resolve(),
}
