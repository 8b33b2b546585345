import { type Log, MINUTE_MS } from '@cofre/contracts'
import type { Vault } from '@cofre/vault'

/** Removes expired sessions and direct tokens every minute. Nothing is lost when a round is missed. */
export function startSweeper(vault: Pick<Vault, 'sweep'>, log: Log): () => Promise<void> {
  let running: Promise<void> | undefined
  const sweep = async (): Promise<void> => {
    try {
      await vault.sweep()
    } catch (error) {
      log.error({ error }, 'the vault could not be swept')
    }
  }
  const timer = setInterval(() => {
    running ??= sweep().finally(() => (running = undefined))
  }, MINUTE_MS)
  return async () => {
    clearInterval(timer)
    await running
  }
}
