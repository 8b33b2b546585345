import { MINUTE_MS } from '@cofre/contracts'
import { fileLockHolder } from '@cofre/sql'
import type { Config } from '../../config/config.js'
import { SetupError } from '../../config/errors.js'
import { DATABASES } from '../../installation/databases.js'
import { findDevProcess } from '../../installation/dev-process.js'
import { servingLockOf } from '../../installation/files.js'
import { knownStore } from '../../installation/test-store.js'
import { type CommandContext, type Shown, operator, timeText } from '../line/command.js'
import { unknownStore, withStores } from '../store/opened-stores.js'

/** `cofre open`: a link that signs in the demo store's owner. */
export const openCommand = { open }

const LINK_LIVES_MS = 10 * MINUTE_MS

async function open(context: CommandContext, { print }: { readonly print?: true }): Promise<Shown> {
  const config = context.config('dev')
  const console = consoleOf(config)
  const storeId = knownStore(config).id ?? ''
  const by = { actor: operator(), address: '', browser: '' } as const
  const link = await withStores(context, { environment: 'production' }, ({ people }) =>
    people.links.forDemoOwner(storeId, by, LINK_LIVES_MS),
  )
  if (link === undefined) throw unknownStore(storeId, 'production')
  const url = `${console}/link/${link.token.reveal()}`
  const expiresAt = timeText(link.expiresAtMs)
  const isOpened = print !== true && config.hasDesktop && context.openBrowser?.(url) === true
  const text = `${url}\nIt signs you in once as the demo store's owner, until ${expiresAt}.\n`
  return {
    data: { url, expiresAt },
    text: isOpened ? `${text}Opening it in your browser.\n` : text,
  }
}

/** @throws SetupError unless a `cofre dev` with its own console runs on the folder */
function consoleOf(config: Config): string {
  const running = findDevProcess(config)
  if (running === undefined) throw notRunning(config)
  if (running.console !== null) return running.console
  if (running.trialSignIn !== undefined)
    throw new SetupError(
      `A trial's owner signs in at ${running.trialSignIn} with the store's credentials, printed when it started`,
      'cofre open is for a cofre dev without --host; see cofre person add',
    )
  throw new SetupError(
    'This cofre dev’s console can be reached from other machines, or shows no production: its owner signs in with credentials',
    'unset COFRE_HOST, COFRE_PUBLIC_PANEL_URL and COFRE_PANEL_ENVIRONMENTS, or see cofre person add',
  )
}

function notRunning(config: Config): SetupError {
  const lock = servingLockOf(config, DATABASES.production)
  const isServed = lock !== undefined && fileLockHolder(lock) !== undefined
  return isServed
    ? new SetupError(
        `${config.dataDir} is served by another process than cofre dev, and only cofre dev signs its owner in by a link`,
        'see cofre person add and cofre person reset',
      )
    : new SetupError(
        `No cofre dev runs on ${config.dataDir}`,
        'start it there first, with npm start; or set COFRE_DATA_DIR to its folder',
      )
}
