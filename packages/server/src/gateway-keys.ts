import path from 'node:path'
import type { SecretKey } from '@cofre/gateway'
import { type KeyRing, loadKeyFile, readKeyFile } from '@cofre/vault'
import type { Config } from './config/config.js'
import { SetupError } from './setup-error.js'

export function gatewayKeyFileOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'gateway-keys')
}

/**
 * The keys that wrap stores' secrets: `COFRE_GATEWAY_KEY`, or a key file that is created when absent.
 * @throws KeyRingError, SetupError
 */
export async function openGatewayKeys(
  config: Pick<Config, 'dataDir' | 'gatewayKeys'>,
): Promise<readonly [SecretKey, ...SecretKey[]]> {
  const { gatewayKeys } = config
  if (gatewayKeys !== undefined) return keysOf(gatewayKeys)
  const file = gatewayKeyFileOf(config)
  await loadKeyFile(file)
  const ring = await readKeyFile(file)
  if (ring === undefined) throw new SetupError('The gateway key cannot be read', `${file} is gone`)
  return keysOf(ring)
}

function keysOf({ current, keys }: KeyRing): readonly [SecretKey, ...SecretKey[]] {
  return [current, ...[...keys.values()].filter(({ id }) => id !== current.id)]
}
