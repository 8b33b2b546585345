import path from 'node:path'
import type { SecretKey } from '@cofre/gateway'
import { isFileThere } from '@cofre/sql'
import { type KeyRing, loadKeyFile, readKeyFile } from '@cofre/vault'
import type { Config } from './config/config.js'
import { hasWrappedSecrets, presentEnvironments } from './environment-database.js'
import { SetupError } from './setup-error.js'

export function gatewayKeyFileOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'gateway-keys')
}

/**
 * The keys that wrap stores' secrets: `COFRE_GATEWAY_KEY`, or a key file that is created when absent and no
 * database wraps a secret yet.
 * @throws KeyRingError, SetupError
 */
export async function openGatewayKeys(
  config: Config,
): Promise<readonly [SecretKey, ...SecretKey[]]> {
  const { gatewayKeys } = config
  if (gatewayKeys !== undefined) return keysOf(gatewayKeys)
  const file = gatewayKeyFileOf(config)
  await refuseLostKeyFile(config, file)
  await loadKeyFile(file)
  const ring = await readKeyFile(file)
  if (ring === undefined) throw new SetupError('The gateway key cannot be read', `${file} is gone`)
  return keysOf(ring)
}

/** A new key would open nothing, and would be taken for the one to back up. */
async function refuseLostKeyFile(config: Config, file: string): Promise<void> {
  if (isFileThere(file)) return
  for (const environment of await presentEnvironments(config)) {
    // Seen again: another process may have created it, and wrapped, in between.
    if ((await hasWrappedSecrets(config, environment)) && !isFileThere(file))
      throw new SetupError(
        `The gateway key is gone, which opens the secrets of the stores of ${environment}: bring it back from its backup, or set COFRE_GATEWAY_KEY`,
        `no key file ${file}`,
      )
  }
}

function keysOf({ current, keys }: KeyRing): readonly [SecretKey, ...SecretKey[]] {
  return [current, ...[...keys.values()].filter(({ id }) => id !== current.id)]
}
