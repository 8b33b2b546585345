import type { StoreChange } from '@cofre/gateway'
import { type CommandContext, printData } from './command-context.js'
import { type StoreOptions, environmentOf, unknownStore, withStores } from './opened-stores.js'

export interface LogOptions extends StoreOptions {
  readonly limit: number
}

/** Shows the changes of one store or of all. @throws SetupError when there is no such store */
export async function listStoreLog(
  context: CommandContext,
  id: string | undefined,
  options: LogOptions,
): Promise<void> {
  const changes = await withStores(context, options, async (stores) => {
    const found = await stores.listChanges({ id, limit: options.limit })
    if (id !== undefined && found.length === 0 && (await stores.find(id)) === undefined)
      throw unknownStore(id, environmentOf(options.sandbox))
    return found
  })
  const data = changes.map(({ storeId, atMs, actor, action, settings }) => ({
    at: new Date(atMs).toISOString(),
    store: storeId,
    action,
    actor,
    settings: shownSettings(settings),
  }))
  const lines = data.map(
    ({ at, store, action, actor }, i) =>
      `${at}  ${store}  ${action} by ${actor}: ${settingsText(changes[i]?.settings ?? {})}\n`,
  )
  printData(context, options, { data, text: lines.join('') })
}

/** Settings under the names that `store list --json` has for them. */
export function shownSettings(settings: StoreChange['settings']): StoreChange['settings'] {
  return Object.fromEntries(
    Object.entries(settings).map(([name, change]) => [
      name === 'mayUseRawCards' ? 'rawCards' : name,
      change,
    ]),
  )
}

/** What was and what is. As JSON, so that no name breaks a line or looks like something else. */
export function settingsText(settings: StoreChange['settings']): string {
  return Object.entries(shownSettings(settings))
    .map(([name, { from, to }]) => {
      const before = from === undefined ? '' : `${JSON.stringify(from)} -> `
      return `${name} ${before}${JSON.stringify(to)}`
    })
    .join(', ')
}
