import {
  ApiError,
  type Clock,
  type CreatedStoreBody,
  ENVIRONMENTS,
  type Environment,
  type Failure,
  type NotificationSecretBody,
  type StoreBody,
  type StoreKeyBody,
  type StoreKeySecretBody,
  type StoreListBody,
  type StoreSettingFacts,
  type StoreWithKeysBody,
  cursorBy,
  dropAbsent,
  rotationTable,
  storeKeyTable,
  storeRequestTable,
  storeSettingsTable,
} from '@cofre/contracts'
import {
  type GatewayEnv,
  type Parameters,
  type ShownKey,
  accepted,
  failInto,
  formatTimestamp,
  jsonResponse,
  readJson,
  readListPart,
  timestampOrNull,
} from '@cofre/gateway/room'
import type { Hono } from 'hono'
import { isStoreName } from '../../model/shop-settings.js'
import { scopesFor } from '../model/named-settings.js'
import type { StoreActRequest, StoreAdmin, WithSecret } from '../store-admin.js'
import {
  type By,
  type InterfaceDeps,
  type OperatorContext,
  type OperatorHandler,
  type OperatorRules,
  operatorInterface,
  STORE_ID,
  requireScope,
} from './operator-interface.js'
import { keyElement, storeElement } from './store-body.js'

export interface StoreRouteDeps extends InterfaceDeps {
  readonly admin: StoreAdmin
  readonly machineClock: Clock
  readonly facts: Omit<StoreSettingFacts, 'isSandbox' | 'isStoreName'>
}

const STORE_CURSOR = cursorBy({ id: 'text' })

/** `/{environment}/stores`, as operators are served. */
export function addStoreRoutes(app: Hono<GatewayEnv>, deps: StoreRouteDeps): void {
  const { admin } = deps
  const signed = (rules: OperatorRules, handler: OperatorHandler) =>
    operatorInterface(deps, rules, handler)

  const listing = { scope: 'stores:read', query: ['limit', 'cursor'] } as const
  app.get(
    '/:environment/stores',
    signed(listing, async (context) => {
      const environment = environmentOf(context)
      const { items, next } = await admin.list(environment, readPage(context.req.query()))
      const body: StoreListBody = {
        stores: items.map((store) => storeElement(store, environment)),
        'next-cursor': next ?? null,
      }
      return jsonResponse(context, body)
    }),
  )

  app.post(
    '/:environment/stores',
    signed({ scope: 'stores:write', hasBody: true }, async (context, by) => {
      const environment = environmentOf(context)
      await requireScope(deps, by, 'stores:secrets')
      const body = dropAbsent(await readJson(context, 'store_settings_invalid'))
      const request = acceptedBy(storeRequestTable, body, factsIn(deps, environment))
      for (const scope of scopesFor(request)) await requireScope(deps, by, scope)
      const { item, secret } = await admin.create({ ...by, environment }, request)
      const store = storeElement(item, environment)
      const created: CreatedStoreBody = { store, secret: secret.reveal() }
      const headers = { Location: `/${environment}/stores/${item.id}` }
      return jsonResponse(context, created, { status: 201, headers })
    }),
  )

  app.get(
    '/:environment/stores/:store',
    signed({ scope: 'stores:read' }, async (context, by) => {
      const asked = storeRequestOf(context, by)
      const { store, shown } = await admin.find(asked)
      const nowMs = deps.machineClock.now()
      const body: StoreWithKeysBody = {
        store: storeElement(store, asked.environment),
        keys: shown.keys.map((key) => keyElement(key, nowMs)),
        'notification-secret-drawn': timestampOrNull(shown.notificationSecret?.createdAtMs),
      }
      return jsonResponse(context, body)
    }),
  )

  addChangeRoutes(app, deps)
  addSecretRoutes(app, deps)
}

/** Changes without a secret. */
function addChangeRoutes(app: Hono<GatewayEnv>, deps: StoreRouteDeps): void {
  const { admin, machineClock } = deps
  app.post(
    '/:environment/stores/:store/settings',
    operatorInterface(deps, { scope: 'stores:write', hasBody: true }, async (context, by) => {
      const asked = storeRequestOf(context, by)
      const body = dropAbsent(await readJson(context, 'store_settings_invalid'))
      const request = acceptedBy(storeSettingsTable, body, factsIn(deps, asked.environment))
      for (const scope of scopesFor(request)) await requireScope(deps, by, scope)
      const store = await admin.change(asked, request)
      const changed: StoreBody = { store: storeElement(store, asked.environment) }
      return jsonResponse(context, changed)
    }),
  )

  const suspending = (isSuspended: boolean) =>
    operatorInterface(deps, { scope: 'stores:write' }, async (context, by) => {
      const asked = storeRequestOf(context, by)
      const store = await admin.suspend(asked, isSuspended)
      const body: StoreBody = { store: storeElement(store, asked.environment) }
      return jsonResponse(context, body)
    })
  app.post('/:environment/stores/:store/suspension', suspending(true))
  app.post('/:environment/stores/:store/resumption', suspending(false))

  app.post(
    '/:environment/stores/:store/keys/:key/end',
    operatorInterface(deps, { scope: 'stores:secrets' }, async (context, by) => {
      const key = await admin.endKey({ ...storeRequestOf(context, by), keyId: keyIdOf(context) })
      const body: StoreKeyBody = { key: keyElement(key, machineClock.now()) }
      return jsonResponse(context, body)
    }),
  )
}

/** Secrets, each in one answer once. */
function addSecretRoutes(app: Hono<GatewayEnv>, deps: StoreRouteDeps): void {
  const { admin, machineClock } = deps
  const signed = (handler: OperatorHandler) =>
    operatorInterface(deps, { scope: 'stores:secrets', hasBody: true }, handler)
  const keySecret = ({ item, secret }: WithSecret<ShownKey>): StoreKeySecretBody => ({
    key: keyElement(item, machineClock.now()),
    secret: secret.reveal(),
  })

  app.post(
    '/:environment/stores/:store/keys',
    signed(async (context, by) => {
      const body = dropAbsent(await readJson(context, 'store_key_invalid'))
      const isToCome = (atMs: number): boolean => atMs > machineClock.now()
      const request = acceptedBy(storeKeyTable, body, { isKeyName: isStoreName, isToCome })
      const added = await admin.addKey(storeRequestOf(context, by), request)
      return jsonResponse(context, keySecret(added), { status: 201 })
    }),
  )

  app.post(
    '/:environment/stores/:store/keys/:key/rotation',
    signed(async (context, by) => {
      const request = await readRotation(context)
      const asked = { ...storeRequestOf(context, by), keyId: keyIdOf(context) }
      return jsonResponse(context, keySecret(await admin.rotateKey(asked, request)))
    }),
  )

  app.post(
    '/:environment/stores/:store/notification-secret',
    signed(async (context, by) => {
      const request = await readRotation(context)
      const drawn = await admin.drawNotificationSecret(storeRequestOf(context, by), request)
      const body: NotificationSecretBody = {
        secret: drawn.secret.reveal(),
        'previous-secret-until': formatTimestamp(drawn.item.previousUntilMs),
      }
      return jsonResponse(context, body)
    }),
  )
}

async function readRotation(context: OperatorContext) {
  const body = dropAbsent(await readJson(context, 'store_key_invalid'))
  const facts = { isKeyName: () => false, isToCome: () => false }
  return acceptedBy(rotationTable, body, facts)
}

interface BodyTable<Value, Facts> {
  readonly validate: (
    body: unknown,
    facts: Facts,
  ) =>
    | { readonly ok: true; readonly value: Value }
    | { readonly ok: false; readonly failures: readonly Failure[] }
  readonly unknownFields: (body: unknown) => readonly string[]
}

/**
 * A misspelt field is refused: without it, a secret could sign on, or a key have no end.
 * @throws ApiError with every failure of the body
 */
function acceptedBy<Value, Facts>(table: BodyTable<Value, Facts>, body: unknown, facts: Facts) {
  const unknown = table.unknownFields(body).map((property): Failure => ({
    name: 'field_unknown',
    property,
    constraint: 'unknown',
    cause: 'operator',
    named: { field: property },
  }))
  return accepted(table.validate(body, facts), unknown)
}

function readPage(query: Parameters) {
  const failures: Failure[] = []
  const { limit, after } = readListPart(query, STORE_CURSOR, failInto(failures, query))
  if (failures.length > 0) throw new ApiError(failures)
  return { limit, after }
}

/** @throws ApiError route_not_found */
function environmentOf({ req }: OperatorContext): Environment {
  const named = ENVIRONMENTS.find((one) => one === req.param('environment'))
  if (named === undefined) throw new ApiError('route_not_found')
  return named
}

/** @throws ApiError route_not_found, store_not_found */
function storeRequestOf(context: OperatorContext, by: By): StoreActRequest {
  const environment = environmentOf(context)
  const storeId = context.req.param('store') ?? ''
  if (!STORE_ID.test(storeId)) throw new ApiError('store_not_found')
  return { ...by, environment, storeId }
}

function keyIdOf({ req }: OperatorContext): string {
  const keyId = req.param('key') ?? ''
  if (!/^(?:first|k-[0-9a-f]{8})$/.test(keyId)) throw new ApiError('store_key_not_found')
  return keyId
}

function factsIn(
  { facts }: Pick<StoreRouteDeps, 'facts'>,
  environment: Environment,
): StoreSettingFacts {
  return { ...facts, isSandbox: environment === 'sandbox', isStoreName }
}
