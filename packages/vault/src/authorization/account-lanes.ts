// Due work at accounts: an acquirer that hangs holds up the work of its own account alone.
import type { Clock, Log } from '@cofre/contracts'
import type { Lanes } from '@cofre/work'
import type { AtAccount, DueList } from './account-lanes-sql.js'
import { nameOf } from './acquirer-call.js'

/** The lane of charges that are played: no acquirer is waited for. */
const PLAYED = 'played'

/** One kind of due work. */
export interface WorkAtAccounts<Item> {
  readonly list: (list: DueList) => Promise<readonly Item[]>
  /** How many items one round takes. */
  readonly limit: number
  readonly work: (item: Item) => Promise<void>
  /** In the log: which item failed, and at what. */
  readonly factsOf: (item: Item) => Readonly<Record<string, unknown>>
  readonly failure: string
  /** Lets other items come first, where an attempt does not itself say when the next one is. */
  readonly putOff?: (item: Item) => Promise<unknown>
}

/** Makes a round: does what is due in its account's lane. An item that fails holds up no other. */
export async function workAtAccounts<Item extends AtAccount>(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  lanes: Lanes,
  { list, limit, work, factsOf, failure, putOff }: WorkAtAccounts<Item>,
): Promise<void> {
  const attempt = async (item: Item): Promise<void> => {
    try {
      await work(item)
    } catch (error) {
      log.error({ ...factsOf(item), error: nameOf(error) }, failure)
      await putOff?.(item)
    }
  }
  const due = await list({ nowMs: clock.now(), limit, busy: lanes.busy() })
  await Promise.all(due.map((item) => lanes.run(item.accountId ?? PLAYED, () => attempt(item))))
}
