import type { ClientBase, PoolClient } from 'pg'

/** The function in the server's source that waits for its standby. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN'

const unreplicated = new WeakSet<ClientBase>()

/**
 * Watches for the warning that a commit was acknowledged without its standby, because the wait was
 * cancelled (`pg_cancel_backend`). A fail-over would lose the commit.
 */
export function watchReplication(client: PoolClient): void {
  client.on('notice', ({ routine }) => {
    if (routine === WAIT_FOR_STANDBY) unreplicated.add(client)
  })
}

/**
 * True if a commit of this connection was acknowledged without its standby. The connection is of no
 * use any more.
 */
export function isUnreplicated(client: PoolClient): boolean {
  return unreplicated.has(client)
}
