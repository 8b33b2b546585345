import { Secret } from '@cofre/contracts'

/** New secrets between the form that made them and the one page that shows them; in memory only. */
export interface FreshSecrets {
  keep(idHash: string, secret: string): void
  /** The secret that this session has not seen yet, once. */
  take(idHash: string): string | undefined
}

export function createFreshSecrets(): FreshSecrets {
  const secrets = new Map<string, Secret<string>>()
  return {
    keep(idHash, secret) {
      secrets.set(idHash, new Secret(secret))
    },
    take(idHash) {
      const secret = secrets.get(idHash)
      secrets.delete(idHash)
      return secret?.reveal()
    },
  }
}
