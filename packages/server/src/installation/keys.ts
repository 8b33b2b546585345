import path from 'node:path'
import type { Clock } from '@cofre/contracts'
import type { SecretKey } from '@cofre/gateway'
import { isFileThere } from '@cofre/sql'
import {
  type KeyEncryption,
  type KeyFile,
  type KeyRing,
  KeyRingError,
  type VaultAdministration,
  combineKeyShares,
  createKeyRing,
  createVaultAdministration,
  loadKeyFile,
  readKeyFile,
} from '@cofre/vault'
import type { Config } from '../config/config.js'
import { SetupError } from '../config/errors.js'
import { readDeliveredSecret } from '../config/secret-file.js'
import { DATABASES, hasWrappedSecrets, neededVaultKeys, presentEnvironments } from './databases.js'

/** The key-encryption keys of this installation, and the keeper of the current one. */
export type VaultKeys =
  | { readonly keeper: 'file'; readonly keys: KeyFile }
  | { readonly keeper: 'variable' | 'custodians'; readonly keys: KeyEncryption }

export function vaultKeyFileOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'vault-keys')
}

export function gatewayKeyFileOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'gateway-keys')
}

/** True if variables give the vault's keys; otherwise they are in the key file. */
export function areVaultKeysGiven({ vaultKeys, vaultKeyShares }: Config): boolean {
  return vaultKeys !== undefined || vaultKeyShares !== undefined
}

/**
 * Opens the key-encryption keys: custodians' shares, `COFRE_VAULT_KEYS`, or a key file. The key
 * file is created if it is absent and the database wraps nothing yet. With shares, the keys of the
 * variable or the file still unwrap their data keys, but wrap no new ones.
 * @throws KeyRingError, SetupError
 */
export async function openVaultKeys(config: Config): Promise<VaultKeys> {
  const { vaultKeys, vaultKeyShares } = config
  const file = vaultKeyFileOf(config)
  if (vaultKeyShares !== undefined) {
    const split = await combineKeyShares(readShares(vaultKeyShares.reveal()))
    const older = vaultKeys ?? (await readKeyFile(file))
    const keys = createKeyRing([...split, ...(older?.keys.values() ?? [])])
    return { keeper: 'custodians', keys }
  }
  if (vaultKeys !== undefined) return { keeper: 'variable', keys: vaultKeys }
  // A new key would open nothing, and the operator would back up the wrong one.
  const needed = isFileThere(file) ? [] : await neededVaultKeys(config)
  // Checked again: another process may have created it and wrapped keys in between.
  if (needed.length > 0 && !isFileThere(file))
    throw new KeyRingError(
      `${file} is missing, and the vault's database needs the key-encryption key ${needed.join(', ')}: restore it from its backup`,
    )
  return { keeper: 'file', keys: await loadKeyFile(file) }
}

/** Shares as text, or as `file:<path>` with one file for each custodian. @throws SetupError */
function readShares(entries: readonly string[]): string[] {
  return entries.map((entry) => {
    if (!entry.startsWith('file:')) return entry
    const file = entry.slice('file:'.length)
    const read = readDeliveredSecret(file)
    if ('text' in read) return read.text
    throw new SetupError(
      `The share that COFRE_VAULT_KEY_SHARES names cannot be read: ${file}`,
      read.why,
    )
  })
}

/** Runs a command's work on the vault of this installation, beside its serving processes. */
export async function administerVault<T>(
  config: Config,
  clock: Clock,
  work: (administration: VaultAdministration, keys: VaultKeys) => Promise<T>,
): Promise<T> {
  refuseMissingVaultKeys(config)
  const keys = await openVaultKeys(config)
  return await DATABASES.vault.use(config, (database) =>
    work(createVaultAdministration({ database, keys: keys.keys, clock }), keys),
  )
}

/** True if this machine has keys of its own vault. */
export function areVaultKeysLocal(config: Config): boolean {
  if (config.vaultService.url !== undefined) return false
  return areVaultKeysGiven(config) || isFileThere(vaultKeyFileOf(config))
}

/** Only a start of the vault creates a key: here, it would be a further key that opens nothing. */
function refuseMissingVaultKeys(config: Config): void {
  if (!areVaultKeysGiven(config) && !isFileThere(vaultKeyFileOf(config))) throw noLocalVault(config)
}

export function noLocalVault(config: Config): SetupError {
  const { url } = config.vaultService
  return new SetupError(
    url !== undefined
      ? `The vault is another process (COFRE_VAULT_SERVICE_URL=${url}): run this where that one runs, with its variables`
      : 'There is no vault here yet: check COFRE_DATA_DIR, or start Cofre once',
    `no key file ${vaultKeyFileOf(config)}`,
  )
}

/**
 * The keys that wrap stores' secrets: `COFRE_GATEWAY_KEY`, or a key file. The key file is created
 * if it is absent and no database wraps a secret yet.
 * @throws KeyRingError, SetupError
 */
export async function openGatewayKeys(config: Config) {
  const { gatewayKeys } = config
  if (gatewayKeys !== undefined) return gatewayKeysOf(gatewayKeys)
  const file = gatewayKeyFileOf(config)
  const environments = isFileThere(file) ? [] : await presentEnvironments(config)
  for (const environment of environments) {
    // Checked again, as for the vault.
    if ((await hasWrappedSecrets(config, environment)) && !isFileThere(file))
      throw new SetupError(
        `The gateway key is gone, which opens the secrets of the stores of ${environment} and of their accounts: restore it from its backup, or set COFRE_GATEWAY_KEY; if it is lost, see docs/incidents.md`,
        `no key file ${file}`,
      )
  }
  await loadKeyFile(file)
  const ring = await readKeyFile(file)
  if (ring === undefined) throw new SetupError('The gateway key cannot be read', `${file} is gone`)
  return gatewayKeysOf(ring)
}

/** The existing keys that wrap stores' secrets. Creates none. */
export async function gatewayKeysAtHand(config: Config): Promise<readonly SecretKey[]> {
  const ring = config.gatewayKeys ?? (await readKeyFile(gatewayKeyFileOf(config)))
  return ring === undefined ? [] : gatewayKeysOf(ring)
}

function gatewayKeysOf({ current, keys }: KeyRing): readonly [SecretKey, ...SecretKey[]] {
  return [current, ...[...keys.values()].filter(({ id }) => id !== current.id)]
}
