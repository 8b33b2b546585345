import type { ClientBase, PoolClient } from 'pg'

/** Where the server waits for its standby, in the words of its own source. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN'

const unreplicated = new WeakSet<ClientBase>()

/**
 * Heeds the warning that a commit was acknowledged without its standby: somebody cancelled the wait
 * (`pg_cancel_backend`). A fail-over would lose it.
 */
export function watchReplication(client: PoolClient): void {
  client.on('notice', ({ routine }) => {
    if (routine === WAIT_FOR_STANDBY) unreplicated.add(client)
  })
}

/** Whether a commit of this connection was acknowledged so. It is of no use any more. */
export function isUnreplicated(client: PoolClient): boolean {
  return unreplicated.has(client)
}
