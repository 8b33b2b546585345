import { statSync } from 'node:fs'
import process from 'node:process'
import { type Config, type Role, needsGateway } from './config/config.js'
import { folderOf } from './configured-databases.js'
import { gatewayKeyFileOf } from './gateway-keys.js'
import { SetupError } from './setup-error.js'
import { keyFileOf } from './vault-keys.js'

const OTHERS = 0o077

/** A key file, or a folder of the vault, that is open to other users of the machine. */
export interface Exposure {
  readonly finding: string
  readonly advice: string
}

/** Key files that others may read or change, and folders of the vault that they may read, change or enter. Windows does not say. */
export function exposuresOf(config: Config, roles: readonly Role[]): readonly Exposure[] {
  const { vaultKeys, vaultKeyShares, gatewayKeys, vaultDatabaseUrl, dataDir } = config
  const hasVault = roles.includes('vault')
  const [vaultFile, gatewayFile] = [keyFileOf(config), gatewayKeyFileOf(config)]
  const keepsVaultKeys = vaultKeys === undefined && vaultKeyShares === undefined
  const folders = [...(keepsVaultKeys ? [dataDir] : []), folderOf(vaultDatabaseUrl)]
  return [
    ...(hasVault ? closedTo('700', new Set(folders)) : []),
    ...(hasVault && vaultKeys === undefined ? closedTo('600', [vaultFile]) : []),
    ...(roles.some(needsGateway) && gatewayKeys === undefined
      ? closedTo('600', [gatewayFile])
      : []),
  ]
}

/** @throws SetupError that names the file, its mode and what to run */
export function refuseExposed(config: Config, roles: readonly Role[]): void {
  const [first] = exposuresOf(config, roles)
  if (first === undefined) return
  throw new SetupError(
    `Other users of this machine can reach keys or cards: ${first.advice}`,
    first.finding,
  )
}

function closedTo(wanted: '600' | '700', files: Iterable<string | undefined>): readonly Exposure[] {
  return [...files].flatMap((file) => {
    const mode = file === undefined ? undefined : modeOf(file)
    if (file === undefined || mode === undefined || (mode & OTHERS) === 0) return []
    const [what, then] =
      wanted === '600'
        ? ['may be read or changed', ', and change the key if one may have read it']
        : ['may be read, changed or entered', '']
    return [
      {
        finding: `${file} ${what} by other users: its mode is ${mode.toString(8)}`,
        advice: `run chmod ${wanted} ${file}${then}; where the file system keeps no modes, set COFRE_DATA_DIR to a folder elsewhere`,
      },
    ]
  })
}

/** Undefined when there is no such file yet, on Windows, and where this user may not look: what opens the file tells of that. */
function modeOf(file: string): number | undefined {
  if (process.platform === 'win32') return undefined
  try {
    return statSync(file).mode & 0o777
  } catch {
    return undefined
  }
}
