// The rotation of a store's first key. The test store of `dev` has one secret everywhere.
import type { Environment } from '@cofre/contracts'
import { PREVIOUS_SECRET_LIVES_MS } from '@cofre/gateway'
import type { Config } from '../../config/config.js'
import { SetupError } from '../../config/errors.js'
import { presentEnvironments } from '../../installation/databases.js'
import { storeDevSecret, testStoreSecret } from '../../installation/test-store.js'
import {
  type CommandContext,
  type InEnvironment,
  operator,
  sandboxOption,
} from '../line/command.js'
import { unknownStore, withStores } from './opened-stores.js'
import { drawSecret } from './store-secret.js'

interface StoreOptions extends InEnvironment {
  readonly id: string
}

export interface RotateOptions extends StoreOptions {
  readonly atOnce?: true
}

/**
 * Gives a store's first key a new secret, the test store's in both environments.
 * @throws SetupError
 */
export async function rotateFirstKey(context: CommandContext, options: RotateOptions) {
  const { id, environment, atOnce: isAtOnce = false } = options
  const secret = drawSecret()
  const untilMs = context.clock.now() + (isAtOnce ? 0 : PREVIOUS_SECRET_LIVES_MS)
  const rotateIn = (one: Environment) =>
    withStores(context, { environment: one }, ({ stores }) =>
      stores.rotateSecret(id, secret, { previousUntilMs: untilMs, actor: operator() }),
    )
  const config = context.config('dev')
  const { isTestStore, others } = await sameSecret(config, options)
  if (!(await rotateIn(environment))) throw await notRotated(context, options)
  // The next start applies the secret in its file to both environments.
  if (isTestStore) storeDevSecret(config, secret)
  for (const other of others) await rotateIn(other)
  return { secret, untilMs, where: [environment, ...others].join(' and ') }
}

/** Its first key may have ended: then only `store-key rotate` has a key to rotate. */
async function notRotated(context: CommandContext, { id, environment }: StoreOptions) {
  const store = await withStores(context, { environment }, ({ stores }) => stores.find(id))
  return store === undefined
    ? unknownStore(id, environment)
    : new SetupError(
        `The first key of the store ${id} has ended in ${environment}`,
        `see cofre store-key list ${id}${sandboxOption(environment)}`,
      )
}

/** @throws SetupError if a variable sets the secret */
async function sameSecret(config: Config, { id, environment }: StoreOptions) {
  const { isTestStore, fixedBy } = testStoreSecret(config, id)
  if (fixedBy !== undefined)
    throw new SetupError(`${fixedBy} sets the secret of ${id}: change it there`, 'it is set')
  const present = isTestStore ? await presentEnvironments(config) : []
  return { isTestStore, others: present.filter((one) => one !== environment) }
}
