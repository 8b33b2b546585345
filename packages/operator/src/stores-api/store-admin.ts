// Stores of the installation, as operators manage them by API.
import {
  ApiError,
  type Clock,
  type Environment,
  type ListPage,
  type Log,
  type RotationRequest,
  type Secret,
  type StoreKeyRequest,
  type StoreRequest,
  type StoreSettingsRequest,
} from '@cofre/contracts'
import {
  type KeyRefusal,
  type Merchant,
  type MerchantStore,
  PREVIOUS_SECRET_LIVES_MS,
  type Rotation,
  type ShownKey,
  type ShownKeys,
  type StoreActor,
} from '@cofre/gateway/room'
import { newStoreSettings, settingsNamed } from '../model/operator-settings.js'
import { readFieldOrigin } from '../model/field-origins.js'
import type { OperatorKey } from './model/operator-key.js'
import { type Attempt, type Draw, drawFor } from './model/drawn.js'
import { namedSettings } from './model/named-settings.js'

/** The stores of one environment that operators manage. */
export type AdminStores = Pick<
  MerchantStore,
  | 'addKey'
  | 'change'
  | 'create'
  | 'drawNotificationSecret'
  | 'endKey'
  | 'find'
  | 'keysOf'
  | 'page'
  | 'rotateSecret'
>

export type OperatorAct =
  | 'operator:store-create'
  | 'operator:store-set'
  | 'operator:store-suspend'
  | 'operator:store-resume'
  | 'operator:key-add'
  | 'operator:key-rotate'
  | 'operator:key-end'
  | 'operator:notification-secret'

/** An act of an operator, as the log of acts has it. */
export interface LoggedAct {
  readonly environment: Environment
  readonly storeId: string
  readonly actor: `operator-key:${string}`
  readonly action: OperatorAct
  readonly target?: string
  readonly outcome: 'asked'
  readonly address: string
  readonly browser: string
}

/** The log of acts: entries are only added. */
export interface OperatorActs {
  readonly record: (act: LoggedAct) => Promise<number>
  readonly end: (id: number, outcome: 'done' | 'refused') => Promise<void>
}

export interface StoreAdminDeps {
  readonly stores: Readonly<Record<Environment, AdminStores>>
  readonly acts: OperatorActs
  readonly machineClock: Clock
  readonly log: Log
}

/** The operator, and where the act happens. */
export interface StoreRequestContext extends Attempt {
  readonly operator: OperatorKey
  readonly address: string
  readonly environment: Environment
}

export interface StoreActRequest extends StoreRequestContext {
  readonly storeId: string
}

/** A drawn secret is in one answer once. */
export interface WithSecret<Item> {
  readonly item: Item
  readonly secret: Secret<string>
}

export interface StoreAdmin {
  readonly list: (
    environment: Environment,
    page: { readonly after?: string | undefined; readonly limit: number },
  ) => Promise<ListPage<Merchant>>
  readonly find: (
    asked: Pick<StoreActRequest, 'environment' | 'storeId'>,
  ) => Promise<{ readonly store: Merchant; readonly shown: ShownKeys }>
  readonly create: (
    asked: StoreRequestContext,
    request: StoreRequest,
  ) => Promise<WithSecret<Merchant>>
  readonly change: (asked: StoreActRequest, request: StoreSettingsRequest) => Promise<Merchant>
  readonly suspend: (asked: StoreActRequest, isSuspended: boolean) => Promise<Merchant>
  readonly addKey: (
    asked: StoreActRequest,
    request: StoreKeyRequest,
  ) => Promise<WithSecret<ShownKey>>
  readonly rotateKey: (
    asked: StoreActRequest & { readonly keyId: string },
    request: RotationRequest,
  ) => Promise<WithSecret<ShownKey>>
  readonly endKey: (asked: StoreActRequest & { readonly keyId: string }) => Promise<ShownKey>
  readonly drawNotificationSecret: (
    asked: StoreActRequest,
    request: RotationRequest,
  ) => Promise<WithSecret<{ readonly previousUntilMs: number }>>
}

export function createStoreAdmin(deps: StoreAdminDeps): StoreAdmin {
  return {
    list: (environment, page) => deps.stores[environment].page(page),
    async find({ environment, storeId }) {
      const stores = deps.stores[environment]
      return { store: await foundIn(stores, storeId), shown: await stores.keysOf(storeId) }
    },
    create: (asked, request) => create(deps, asked, request),
    change: (asked, request) =>
      acting(deps, { ...asked, act: { action: 'operator:store-set' } }, (stores, actor) => {
        const { 'field-origins': origins } = request
        const settings = {
          ...settingsNamed(namedSettings(request)),
          ...(origins !== undefined && { fieldOrigins: originsOf(origins) }),
        }
        return changed(stores, asked.storeId, { settings, actor })
      }),
    suspend: (asked, isSuspended) => {
      const action = isSuspended ? 'operator:store-suspend' : 'operator:store-resume'
      return acting(deps, { ...asked, act: { action } }, (stores, actor) =>
        changed(stores, asked.storeId, { settings: { enabled: !isSuspended }, actor }),
      )
    },
    ...keyActs(deps),
  }
}

function keyActs(
  deps: StoreAdminDeps,
): Pick<StoreAdmin, 'addKey' | 'rotateKey' | 'endKey' | 'drawNotificationSecret'> {
  const untilMs = ({ 'at-once': isAtOnce = false }: RotationRequest): number =>
    deps.machineClock.now() + (isAtOnce ? 0 : PREVIOUS_SECRET_LIVES_MS)
  return {
    addKey(asked, request) {
      const draw = drawOf(asked)
      const id = `k-${draw.digits}`
      const act = { action: 'operator:key-add', target: id } as const
      return acting(deps, { ...asked, act }, async (stores, actor) => {
        const { name, scopes, until: endsAtMs } = request
        const { storeId } = asked
        const { secret } = draw
        const rotation = { keyId: id, previousUntilMs: untilMs({}), actor }
        if (!(asked.isRetry && (await redrawn(stores, draw, { storeId, rotation })))) {
          // A key of old may have been added by a request with the same Idempotency-Key.
          const { keys } = await stores.keysOf(storeId)
          if (keys.some((key) => key.id === id)) throw new ApiError('idempotency_key_reused')
          const key = { id, name, scopes: [...new Set(scopes)], secret, endsAtMs }
          refuse(await stores.addKey(storeId, key, actor))
        }
        return { item: await keyOf(stores, storeId, id), secret }
      })
    },
    rotateKey(asked, request) {
      const { keyId, storeId } = asked
      const act = { action: 'operator:key-rotate', target: keyId } as const
      return acting(deps, { ...asked, act }, async (stores, actor) => {
        await foundIn(stores, storeId)
        const { secret, isLost } = drawOf(asked)
        const rotation = { keyId, previousUntilMs: untilMs(request), isLost, actor }
        if (!(await stores.rotateSecret(storeId, secret, rotation)))
          throw new ApiError('store_key_not_found')
        return { item: await keyOf(stores, storeId, keyId), secret }
      })
    },
    endKey(asked) {
      const { keyId, storeId } = asked
      const act = { action: 'operator:key-end', target: keyId } as const
      return acting(deps, { ...asked, act }, async (stores, actor) => {
        refuse(await stores.endKey(storeId, keyId, actor))
        return await keyOf(stores, storeId, keyId)
      })
    },
    drawNotificationSecret(asked, request) {
      const act = { action: 'operator:notification-secret' } as const
      return acting(deps, { ...asked, act }, async (stores, actor) => {
        const { storeId } = asked
        const { secret, isLost } = drawOf(asked)
        const draw = { previousUntilMs: untilMs(request), isLost, actor }
        if (!(await stores.drawNotificationSecret(storeId, secret, draw)))
          throw new ApiError('store_not_found')
        const { notificationSecret } = await stores.keysOf(storeId)
        const { previousUntilMs = draw.previousUntilMs } = notificationSecret ?? {}
        return { item: { previousUntilMs }, secret }
      })
    },
  }
}

async function create(
  deps: StoreAdminDeps,
  asked: StoreRequestContext,
  request: StoreRequest,
): Promise<WithSecret<Merchant>> {
  const draw = drawOf(asked)
  const { id = `store-${draw.digits}`, 'field-origins': origins = [] } = request
  const of = { ...asked, storeId: id }
  return await acting(
    deps,
    { ...of, act: { action: 'operator:store-create' } },
    async (stores, actor) => {
      const { secret } = draw
      const previousUntilMs = deps.machineClock.now() + PREVIOUS_SECRET_LIVES_MS
      const made = { storeId: id, rotation: { previousUntilMs, actor } }
      if (asked.isRetry && (await redrawn(stores, draw, made)))
        return { item: await foundIn(stores, id), secret }
      const store: Merchant = {
        ...newStoreSettings(id, namedSettings(request)),
        id,
        secret,
        fieldOrigins: originsOf(origins),
      }
      if (!(await stores.create(store, actor)))
        throw new ApiError(request.id === undefined ? 'idempotency_key_reused' : 'store_id_used')
      return { item: store, secret }
    },
  )
}

function drawOf({ operator, environment, ...attempt }: StoreRequestContext): Draw {
  return drawFor(attempt, { operator: operator.id, environment })
}

/** Gives the key that an earlier attempt added another secret. False if none was added. */
async function redrawn(
  stores: AdminStores,
  { secret, isLost }: Draw,
  { storeId, rotation }: { readonly storeId: string; readonly rotation: Rotation },
): Promise<boolean> {
  const store = await stores.find(storeId)
  const { keyId } = rotation
  const key = keyId === undefined ? store : store?.furtherKeys?.find(({ id }) => id === keyId)
  if (key === undefined || !isLost(key.secret)) return false
  return await stores.rotateSecret(storeId, secret, { ...rotation, isLost })
}

function originsOf(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => readFieldOrigin(text) ?? []))]
}

interface LoggedStoreAct extends StoreActRequest {
  readonly act: Pick<LoggedAct, 'action' | 'target'>
}

/** Logs an act before it is done, and then its end. */
async function acting<Result>(
  { stores, acts, log }: StoreAdminDeps,
  { act, environment, storeId, operator, address }: LoggedStoreAct,
  work: (stores: AdminStores, actor: StoreActor) => Promise<Result>,
): Promise<Result> {
  const actor = `operator-key:${operator.id}` as const
  const asked = { environment, storeId, actor, address, browser: '', outcome: 'asked' } as const
  const id = await acts.record({ ...act, ...asked })
  // The act is done or refused, whether or not its end is logged.
  const end = async (outcome: 'done' | 'refused'): Promise<void> => {
    try {
      await acts.end(id, outcome)
    } catch (error) {
      log.error({ error, action: act.action, outcome }, 'the end of an act was not logged')
    }
  }
  try {
    const result = await work(stores[environment], actor)
    await end('done')
    return result
  } catch (error) {
    if (error instanceof ApiError) await end('refused')
    else log.error({ error, action: act.action }, 'an act of an operator failed')
    throw error
  }
}

async function foundIn(stores: AdminStores, storeId: string): Promise<Merchant> {
  const store = await stores.find(storeId)
  if (store === undefined) throw new ApiError('store_not_found')
  return store
}

async function changed(
  stores: AdminStores,
  storeId: string,
  { settings, actor }: { readonly settings: Partial<Merchant>; readonly actor: StoreActor },
): Promise<Merchant> {
  if ((await stores.change(storeId, settings, actor)) === undefined)
    throw new ApiError('store_not_found')
  return await foundIn(stores, storeId)
}

async function keyOf(stores: AdminStores, storeId: string, keyId: string): Promise<ShownKey> {
  const { keys } = await stores.keysOf(storeId)
  const key = keys.find(({ id }) => id === keyId)
  if (key === undefined) throw new ApiError('store_key_not_found')
  return key
}

function refuse(refusal: KeyRefusal | undefined): void {
  switch (refusal) {
    case undefined:
      return
    case 'no-store':
      throw new ApiError('store_not_found')
    case 'too-many':
      throw new ApiError('store_keys_full')
    case 'unknown':
    case 'ended-before':
      throw new ApiError('store_key_not_found')
    case 'signs-notifications':
      throw new ApiError('store_key_signs_notifications')
  }
}
