import { DAY_MS } from '@cofre/contracts'
import {
  type Custody,
  KeyRingError,
  type KeyStatus,
  type VaultAdministration,
  generateKeyRing,
  generateSplitKey,
  isCustody,
  recordVaultEvent,
} from '@cofre/vault'
import { DATABASES } from '../../installation/databases.js'
import { administerVault } from '../../installation/keys.js'
import {
  type CommandContext,
  type Shown,
  UsageError,
  operatorEvent,
  table,
  timeOrNull,
  timeText,
} from '../line/command.js'

/** `cofre keys`: the vault's key-encryption keys. */
export const keysCommands = {
  'keys status': status,
  'keys rotate': rotate,
  'keys rewrap': rewrap,
  'keys retire': retire,
  'keys split': split,
}

async function status({ config, clock }: CommandContext): Promise<Shown> {
  const keys = await administerVault(config('dev'), clock, (vault) => vault.keyStatus())
  return { data: keys.map(jsonOf), text: statusText(keys, clock.now()) }
}

/** Each step leaves the vault consistent: after an interruption, `rewrap` completes the rest. */
async function rotate({ config, clock }: CommandContext): Promise<Shown> {
  return await administerVault(config('dev'), clock, async (vault, { keeper, keys }) => {
    await vault.checkKeys()
    switch (keeper) {
      case 'file': {
        const id = await keys.addKey()
        await vault.recordEvent(
          operatorEvent({ action: 'key.added', record: id, outcome: 'current' }),
        )
        const rewrapped = await rewrapDataKeys(vault)
        const text = `Key ${id} is the current one, and ${wrapped(rewrapped)} now. Running processes already use it.\nBack the key file up again, apart from the database. You may remove the older keys: see cofre keys status.\n`
        return { data: { current: id, rewrapped }, text }
      }
      case 'variable': {
        const entry = generateKeyRing()
        return { data: { entry }, text: variableText(entry) }
      }
      case 'custodians':
        throw new KeyRingError(
          'the current key is in the hands of custodians: draw the next one with cofre keys split',
        )
    }
  })
}

async function rewrap({ config, clock }: CommandContext): Promise<Shown> {
  return await administerVault(config('dev'), clock, async (vault) => {
    await vault.checkKeys()
    const rewrapped = await rewrapDataKeys(vault)
    const text = rewrapped === 0 ? 'Nothing to do: every' : `Done: ${wrapped(rewrapped)} now, every`
    return { data: { rewrapped }, text: `${text} data key is wrapped by the current key.\n` }
  })
}

async function retire(
  { config, clock }: CommandContext,
  { id }: { readonly id: string },
): Promise<Shown> {
  return await administerVault(config('dev'), clock, async (vault, { keeper, keys }) => {
    const found = (await vault.keyStatus()).find((key) => key.id === id)
    if (found === undefined) throw new KeyRingError(`there is no key ${id}`)
    if (found.state === 'current') throw new KeyRingError(`${id} is the current key: rotate first`)
    if (found.dataKeys > 0)
      throw new KeyRingError(
        `${id} still wraps ${found.dataKeys} data keys: run cofre keys rewrap first`,
      )
    if (keeper !== 'file')
      throw new KeyRingError(
        `${id} no longer wraps anything: remove it from COFRE_VAULT_KEYS or COFRE_VAULT_KEY_SHARES, or delete the key file beside the shares, and restart`,
      )
    await keys.removeKey(id)
    await vault.recordEvent(
      operatorEvent({ action: 'key.removed', record: id, outcome: 'removed' }),
    )
    const text = `Key ${id} is no longer in the key file. Database backups from before its rotation still need it: keep it as long as you keep them.\n`
    return { data: { retired: id }, text }
  })
}

/** Needs no key, so that a vault may have custodians from its first start. */
async function split({ config, clock }: CommandContext, custody: Custody): Promise<Shown> {
  if (!isCustody(custody))
    throw new UsageError('--threshold is at least 2 and at most --shares, which is at most 255')
  return await DATABASES.vault.use(config('dev'), async (database) => {
    const { shares: count, threshold } = custody
    const { id, shares } = await generateSplitKey(custody)
    const outcome = `${threshold} of ${count}`
    await recordVaultEvent(
      { database, clock },
      operatorEvent({ action: 'key.split', record: id, outcome }),
    )
    const texts = shares.map((share) => share.reveal())
    const data = { id, shares: count, threshold, texts }
    return { data, text: splitText(id, custody, texts) }
  })
}

async function rewrapDataKeys(vault: VaultAdministration): Promise<number> {
  const rewrapped = await vault.rewrapDataKeys()
  const [current] = await vault.keyStatus()
  const record = current?.id ?? ''
  await vault.recordEvent(
    operatorEvent({ action: 'data_keys.rewrapped', record, outcome: String(rewrapped) }),
  )
  return rewrapped
}

function wrapped(rewrapped: number): string {
  return rewrapped === 1 ? 'it wraps 1 data key more' : `it wraps ${rewrapped} data keys more`
}

function jsonOf({ inUseSinceMs, ...status }: KeyStatus): object {
  return { ...status, inUseSince: timeOrNull(inUseSinceMs) }
}

function statusText(keys: readonly KeyStatus[], nowMs: number): string {
  const rows = keys.map(({ id, state, dataKeys, inUseSinceMs }) => [
    id,
    state === 'missing' ? 'MISSING' : state,
    dataKeys,
    ageText(inUseSinceMs, nowMs),
  ])
  return `${table(['Key', 'State', 'Data keys', 'In use'], rows)}\n${adviceOn(keys)}`
}

function ageText(sinceMs: number | undefined, nowMs: number): string {
  if (sinceMs === undefined) return 'wraps nothing'
  const days = Math.floor((nowMs - sinceMs) / DAY_MS)
  return `since ${timeText(sinceMs).slice(0, 10)} (${days === 1 ? '1 day' : `${days} days`})`
}

function adviceOn(keys: readonly KeyStatus[]): string {
  if (keys.some(({ state }) => state === 'missing'))
    return '\nA missing key wraps data keys that cannot be opened: restore it from its backup.\n'
  const older = keys.filter(({ state }) => state === 'older')
  if (older.some(({ dataKeys }) => dataKeys > 0))
    return '\nA rotation is not finished: run cofre keys rewrap.\n'
  return older.length > 0 ? '\nRemove older keys that wrap nothing: cofre keys retire <id>.\n' : ''
}

function variableText(entry: string): string {
  return `The keys are in COFRE_VAULT_KEYS, which a command cannot change. A new key was drawn; this is its only copy:

  ${entry}

1. Add it at the end of the variable, after a comma, wherever the vault runs, and restart these processes one by one.
2. Put it first in the variable and restart them again: now it wraps what is new.
3. Run cofre keys rewrap with this variable. After that the older keys may leave it.

With a single process, begin with step 2.
`
}

function splitText(id: string, { shares, threshold }: Custody, texts: readonly string[]): string {
  const lines = texts.map((text, index) => `Custodian ${index + 1} of ${shares}\n  ${text}\n`)
  return `Key ${id}, of which any ${threshold} of these ${shares} shares are needed. They are shown once and stored nowhere.

${lines.join('\n')}
1. Give each share to one custodian; none may see another's.
2. Stop every process of the vault, and start them with ${threshold} of the shares in COFRE_VAULT_KEY_SHARES, separated by
   commas; file:<path> stands for a share in a file. Leave the older keys where they are for now.
3. Run cofre keys rewrap with the same variables. After that delete the key file, or empty COFRE_VAULT_KEYS.
`
}
