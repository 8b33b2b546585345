import { DAY_MS, SECOND_MS } from '@cofre/contracts'
import { SETTLED_METHODS, type SettledMethod, type SettlementMode } from '@cofre/sandbox'

export const DELAY_MAX_SECONDS = (30 * DAY_MS) / SECOND_MS
export const DEFAULT_DELAY_SECONDS = 10

/** What the form asks for; undefined when it is not complete. */
export function readSettlement(
  form: ReadonlyMap<string, string>,
): { readonly method: SettledMethod; readonly mode: SettlementMode } | undefined {
  const method = SETTLED_METHODS.find((known) => known === form.get('method'))
  const mode = readMode(form)
  return method === undefined || mode === undefined ? undefined : { method, mode }
}

function readMode(form: ReadonlyMap<string, string>): SettlementMode | undefined {
  const kind = form.get('kind')
  switch (kind) {
    case 'at-once':
    case 'by-hand':
      return { kind }
    case 'after': {
      const seconds = Number(form.get('seconds'))
      const isDelay = Number.isInteger(seconds) && seconds >= 1 && seconds <= DELAY_MAX_SECONDS
      return isDelay ? { kind, seconds } : undefined
    }
    case undefined:
    default:
      return undefined
  }
}
