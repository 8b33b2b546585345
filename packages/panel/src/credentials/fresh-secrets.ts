import { Secret } from '@cofre/contracts'
import type { Session } from '../session/session.js'

/** New secrets between the form that made them and the one page that shows them; in memory only, one of a store. */
export interface FreshSecrets {
  /** @param idHash - Of the session that may see it. */
  keep(storeId: string, idHash: string, secret: string): void
  /** The secret that this session has not seen yet, once. */
  take(session: Pick<Session, 'storeId' | 'idHash'>): string | undefined
}

export function createFreshSecrets(): FreshSecrets {
  const secrets = new Map<string, { readonly idHash: string; readonly secret: Secret<string> }>()
  return {
    keep(storeId, idHash, secret) {
      secrets.set(storeId, { idHash, secret: new Secret(secret) })
    },
    take({ storeId, idHash }) {
      const fresh = secrets.get(storeId)
      if (fresh?.idHash !== idHash) return undefined
      secrets.delete(storeId)
      return fresh.secret.reveal()
    },
  }
}
