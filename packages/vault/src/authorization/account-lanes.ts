// Due work at accounts: a hanging acquirer blocks only the work of its own account.
import type { Clock, Log } from '@cofre/contracts'
import type { Lanes } from '@cofre/work'
import type { AtAccount, DueList } from './account-lanes-sql.js'
import { nameOf } from './acquirer-call.js'

/** The lane of simulated charges, which wait for no acquirer. */
const WITHOUT_ACCOUNT = 'played'

/** One kind of due work. */
export interface WorkAtAccounts<Item> {
  readonly list: (list: DueList) => Promise<readonly Item[]>
  /** The number of items in one round. */
  readonly limit: number
  readonly work: (item: Item) => Promise<void>
  /** Identifies the failed item in the log. */
  readonly factsOf: (item: Item) => Readonly<Record<string, unknown>>
  readonly failure: string
  /**
   * Postpones an item after a failure, if an attempt doesn't itself set the time of the next one.
   */
  readonly putOff?: (item: Item) => Promise<unknown>
}

/** Runs a round: works on due items in their accounts' lanes. A failed item blocks no other. */
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
  await Promise.all(
    due.map((item) => lanes.run(item.accountId ?? WITHOUT_ACCOUNT, () => attempt(item))),
  )
}
