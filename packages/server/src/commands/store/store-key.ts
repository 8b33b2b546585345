import { randomBytes } from 'node:crypto'
import type { StoreScope } from '@cofre/contracts'
import {
  FIRST_KEY,
  type KeyRefusal,
  PREVIOUS_SECRET_LIVES_MS,
  STORE_KEYS_MAX,
  type ShownKey,
} from '@cofre/gateway'
import { SetupError } from '../../config/errors.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  UsageError,
  filledTable,
  operator,
  sandboxOption,
  timeOrNull,
  timeText,
} from '../line/command.js'
import { unknownStore, withStores } from './opened-stores.js'
import { rotateFirstKey } from './store-rotation.js'
import { drawSecret, secretText } from './store-secret.js'

interface StoreOptions extends InEnvironment {
  readonly store: string
}

interface AddOptions extends StoreOptions {
  readonly name: string
  readonly scopes: readonly StoreScope[]
  readonly until?: number
}

interface KeyOptions extends StoreOptions {
  readonly key: string
}

interface AtOnce {
  readonly atOnce?: true
}

/** `cofre store-key`: the keys that sign a store's requests, and the secret of notifications. */
export const storeKeyCommands = {
  'store-key add': add,
  'store-key list': list,
  'store-key rotate': rotate,
  'store-key end': end,
  'store notification-secret': drawNotificationSecret,
}

async function add(context: CommandContext, options: AddOptions): Promise<Shown> {
  const { store, environment, name, scopes, until: endsAtMs } = options
  if (endsAtMs !== undefined && endsAtMs <= context.clock.now())
    throw new UsageError('--until takes a time that is still to come')
  const id = `k-${randomBytes(4).toString('hex')}`
  const secret = drawSecret()
  const refusal = await withStores(context, options, ({ stores }) =>
    stores.addKey(store, { id, name, scopes, secret, endsAtMs }, operator()),
  )
  if (refusal !== undefined) throw refusedAs(refusal, { ...options, key: id })
  const until = endsAtMs === undefined ? '' : `, until ${timeText(endsAtMs)}`
  const sentence = `The store ${store} has a key ${id} for ${scopes.join(', ')} in ${environment}${until}.`
  return {
    data: {
      store,
      environment,
      key: id,
      name,
      scopes,
      endsAt: timeOrNull(endsAtMs),
      secret: secret.reveal(),
    },
    text: secretText(sentence, secret),
  }
}

async function list(context: CommandContext, options: StoreOptions): Promise<Shown> {
  const { store, environment } = options
  const { keys, notificationSecret } = await withStores(context, options, ({ stores }) =>
    stores.keysOf(store),
  )
  if (keys.length === 0) throw unknownStore(store, environment)
  const nowMs = context.clock.now()
  const shown = keys.map((key) => shownKey(key, nowMs))
  const drawnAt = timeOrNull(notificationSecret?.createdAtMs)
  const rows = shown.map((key) => [
    key.key,
    key.name,
    key.scopes.join(', '),
    key.usedAt,
    key.endsAt,
    key.previousSecretUntil,
  ])
  const headings = ['Key', 'Name', 'Scopes', 'Last used', 'End', 'Old secret until']
  const signs =
    drawnAt === null ? 'Its first key signs notifications.' : `Notifications: since ${drawnAt}.`
  return {
    data: { store, environment, keys: shown, notificationSecretDrawnAt: drawnAt },
    text: `${filledTable(headings, rows)}\n${signs}\n`,
  }
}

function shownKey({ id, name, scopes, ...times }: ShownKey, nowMs: number) {
  const { createdAtMs, usedAtMs, endsAtMs, previousUntilMs = 0 } = times
  return {
    key: id,
    name,
    scopes,
    createdAt: timeText(createdAtMs),
    usedAt: timeOrNull(usedAtMs),
    endsAt: timeOrNull(endsAtMs),
    previousSecretUntil: previousUntilMs > nowMs ? timeText(previousUntilMs) : null,
  }
}

async function rotate(context: CommandContext, options: KeyOptions & AtOnce): Promise<Shown> {
  const { store, key, environment } = options
  const { secret, untilMs, where } =
    key === FIRST_KEY
      ? await rotateFirstKey(context, { ...options, id: store })
      : await rotateFurtherKey(context, options)
  const previousSecretUntil = timeText(untilMs)
  const sentence = `The key ${key} of the store ${store} has a new secret in ${where}; ${ofOld(options, previousSecretUntil)}.`
  return {
    data: { store, environment, key, secret: secret.reveal(), previousSecretUntil },
    text: secretText(sentence, secret),
  }
}

async function rotateFurtherKey(context: CommandContext, options: KeyOptions & AtOnce) {
  const { store, key, environment } = options
  const secret = drawSecret()
  const untilMs = endOfPrevious(context, options)
  const isRotated = await withStores(context, options, ({ stores }) =>
    stores.rotateSecret(store, secret, {
      keyId: key,
      previousUntilMs: untilMs,
      actor: operator(),
    }),
  )
  if (!isRotated) throw refusedAs('unknown', options)
  return { secret, untilMs, where: environment }
}

function endOfPrevious({ clock }: CommandContext, { atOnce = false }: { atOnce?: boolean }) {
  return clock.now() + (atOnce ? 0 : PREVIOUS_SECRET_LIVES_MS)
}

function ofOld({ atOnce }: AtOnce, until: string): string {
  return atOnce === true ? 'the old one does not sign any more' : `the old one signs until ${until}`
}

async function end(context: CommandContext, options: KeyOptions): Promise<Shown> {
  const { store, key, environment } = options
  const refusal = await withStores(context, options, ({ stores }) =>
    stores.endKey(store, key, operator()),
  )
  if (refusal !== undefined) throw refusedAs(refusal, options)
  return {
    data: { store, environment, key, ended: true },
    text: `The key ${key} of the store ${store} signs nothing more in ${environment}.\n`,
  }
}

interface DrawOptions extends InEnvironment, AtOnce {
  readonly id: string
}

async function drawNotificationSecret(
  context: CommandContext,
  options: DrawOptions,
): Promise<Shown> {
  const { id, environment } = options
  const secret = drawSecret()
  const previousUntilMs = endOfPrevious(context, options)
  const isDrawn = await withStores(context, options, ({ stores }) =>
    stores.drawNotificationSecret(id, secret, { previousUntilMs, actor: operator() }),
  )
  if (!isDrawn) throw unknownStore(id, environment)
  const previousSecretUntil = timeText(previousUntilMs)
  const sentence = `Notifications of the store ${id} have a new secret of their own in ${environment}; ${ofOld(options, previousSecretUntil)}.`
  return {
    data: { id, environment, secret: secret.reveal(), previousSecretUntil },
    text: secretText(sentence, secret),
  }
}

function refusedAs(refusal: KeyRefusal, { store, key, environment }: KeyOptions): SetupError {
  const listed = `see cofre store-key list ${store}${sandboxOption(environment)}`
  switch (refusal) {
    case 'no-store':
      return unknownStore(store, environment)
    case 'too-many':
      return new SetupError(
        `The store ${store} has ${STORE_KEYS_MAX} live keys in ${environment}: end one first`,
        listed,
      )
    case 'unknown':
      return new SetupError(`The store ${store} has no live key ${key} in ${environment}`, listed)
    case 'ended-before':
      return new SetupError(`The key ${key} of the store ${store} has ended already`, listed)
    case 'signs-notifications':
      return new SetupError(
        `The key ${key} signs the notifications of the store ${store}: draw a secret for them first`,
        `cofre store notification-secret ${store}${sandboxOption(environment)}`,
      )
  }
}
