import { randomInt } from 'node:crypto'
import {
  type CardAccounts,
  type CardChecks,
  type CardService,
  type Clock,
  type Environment,
  type Log,
  type StoredCards,
  fieldOriginSchema,
} from '@cofre/contracts'
import {
  type Banks,
  type BoletoObjections,
  createBanks,
  createChargeRecords,
  removeCharge,
} from '@cofre/banks'
import { type ReturnFiles, boletosByFile, createReturnFiles } from '@cofre/boleto-files'
import { type BankOfAccount } from '@cofre/provider-kit/bank'
import {
  type Gateway,
  type GatewayCore,
  type GatewayOptions,
  createGateway,
  createGatewayCore,
} from '@cofre/gateway'
import type { AddRoomRoutes } from '@cofre/gateway/room'
import {
  type NotificationsRoom,
  acceptsTarget,
  createHttpSender,
  createNotifications,
} from '@cofre/notifications'
import {
  type OperatorKeys,
  type OperatorRoom,
  createOperator,
  createOperatorKeys,
  createPayerBlocklist,
} from '@cofre/operator'
import { type EventsRoom, createEvents } from '@cofre/events'
import { type SandboxBank, blockTestPayers, createSandboxRails } from '@cofre/sandbox'
import type { DueWork } from '@cofre/work'
import { productVersion } from '../../config/product-version.js'
import { type CountryLookup } from '../../installation/country-table.js'
import { DATABASES } from '../../installation/databases.js'
import { openGatewayKeys } from '../../installation/keys.js'
import { demoStoreIdOf, devStore } from '../../installation/test-store.js'
import {
  observedBanks,
  observedCardPayments,
  observedDatabase,
  observedEventSender,
  observedSender,
} from '../../observability/observed-ports.js'
import { watchDatabase } from '../../observability/telemetry.js'
import { createAcquirerAccounts } from '../providers/acquirer-accounts.js'
import { refundDaysIn } from '../providers/acquirer-refund-days.js'
import { type ProcessParts } from '../parts.js'
import { originsOf } from '../../http/addresses.js'
import type { LinksRoom } from '@cofre/links'
import { createSavedCards } from '@cofre/saved-cards'
import { type SettlementsRoom, createSettlements } from '@cofre/settlements'
import { type Figures, type PaymentFinder, createSearch } from '@cofre/search'
import { createProductionRails } from '../providers/production-rails.js'
import { loadSettlementFormats } from '../providers/settlement-formats.js'
import { openForService } from './opened-database.js'
import { openLinks } from './opened-links.js'
import {
  prepareSimulatorAccounts,
  refuseSimulatorAccounts,
} from '../providers/simulator-accounts.js'

/** Differences between the environments. */
export interface EnvironmentParts {
  readonly cards: CardService
  /** The vault's names of accounts. */
  readonly cardAccounts: CardAccounts
  readonly storedCards: StoredCards & CardChecks
  readonly bankOf: BankOfAccount
  readonly clock: Clock
  /** The sandbox's bank, which reports the outcomes of its payments. */
  readonly bank?: SandboxBank
  /** Production's check of boletos, for the sandbox. */
  readonly boletoObjections?: BoletoObjections | undefined
  readonly countryOf: CountryLookup | undefined
  /** False if production only forwards test refunds to the sandbox: readiness ignores it. */
  readonly isServed: boolean
}

/** Counts a gateway's decisions in the metrics. */
function reportsOf({ telemetry: { metrics } }: ProcessParts, environment: Environment) {
  return {
    declineLimitReached: (limit) => {
      metrics.declineLimits.inc({ environment, limit })
    },
    cardChangeEnded: (kind, outcome) => {
      metrics.cardChanges.inc({ environment, kind, outcome })
    },
    captureEnded: (outcome) => {
      metrics.captures.inc({ environment, outcome })
    },
    parametersIgnored: (count) => {
      metrics.parametersIgnored.inc({ environment }, count)
    },
    requestSigned: (form) => {
      metrics.requestsSigned.inc({ environment, form })
    },
  } satisfies Partial<GatewayOptions>
}

/** A gateway's options from the configuration and the process's other parts. */
async function optionsOf(
  parts: ProcessParts,
  environment: Environment,
  { cards, bank, countryOf }: EnvironmentParts,
) {
  const { config, telemetry } = parts
  const { notifyAllow, endpoints } = config
  const endpoint = environment === 'sandbox' ? endpoints.sandbox : endpoints.api
  return {
    environment,
    ...reportsOf(parts, environment),
    secretKeys: await openGatewayKeys(config),
    demoStoreId: environment === 'production' ? demoStoreIdOf(config) : undefined,
    cards: observedCardPayments(cards, telemetry),
    rails:
      bank === undefined
        ? createProductionRails(config.mode, endpoint.publicUrl)
        : createSandboxRails({ publicUrl: endpoint.publicUrl, bank }),
    refundDays: refundDaysIn(environment),
    notifyDelayMs: config.notifyDelayMs,
    installmentTerms: config.installmentTerms,
    purchaseLimits: {
      perTransactionMinor: config.purchaseLimitMinor,
      perPeriodMinor: environment === 'sandbox' ? undefined : config.purchaseLimitMinor,
    },
    boletoDays: config.boletoDays,
    countryOf,
    signatureDigest: config.signatureDigest,
    origins: originsOf(endpoint),
    publicUrl: endpoint.publicUrl,
    requestPolicy: {
      wallets: config.wallets,
      acceptsNotificationUrl: (target) => acceptsTarget(target, notifyAllow),
    },
  } satisfies Partial<GatewayOptions>
}

interface Sending
  extends Pick<NotificationsRoom, 'notifications'>, Pick<EventsRoom, 'rewrapEndpoints'> {
  readonly ofEvents: Pick<EventsRoom, 'events' | 'eventBacklog'>
  readonly work: readonly DueWork[]
  readonly sendingRoutes: readonly AddRoomRoutes[]
}

/**
 * Sends the notifications and the events of a gateway, to the same addresses. Deleted cards are
 * events.
 */
function openSending(
  { config, telemetry }: ProcessParts,
  options: GatewayOptions,
  { storedCards: cards, ...core }: Gateway & Pick<EnvironmentParts, 'storedCards'>,
): Sending {
  const { notifyAllow: allowances, notifyIntervalMs } = config
  const sender = createHttpSender({ version: productVersion(), allowances })
  const observed = observedSender(sender, options.environment, telemetry)
  const notifying = createNotifications({ ...options, sender: observed, notifyIntervalMs }, core)
  const eventSender = observedEventSender(sender, options.environment, telemetry)
  const { cardDeleted, eventRoutes, eventWork, rewrapEndpoints, ...ofEvents } = createEvents({
    ...options,
    sender: eventSender,
    notifyIntervalMs,
  })
  const { savedCardRoutes } = createSavedCards({
    ...options,
    cards,
    cardDeleted,
    payerGuard: core.payerGuard,
  })
  return {
    notifications: notifying.notifications,
    work: [...notifying.work, ...eventWork],
    sendingRoutes: [savedCardRoutes, eventRoutes],
    ofEvents,
    rewrapEndpoints,
  }
}

/** The gateway of an environment, with its rooms. */
export interface GatewayWithRooms
  extends
    Gateway,
    OperatorRoom,
    Omit<Banks, 'methodRoom' | 'bankWork'>,
    Pick<SettlementsRoom, 'settlements'>,
    Pick<NotificationsRoom, 'notifications'>,
    Pick<EventsRoom, 'events' | 'eventBacklog'>,
    Pick<LinksRoom, 'paymentLinks' | 'paymentPage'> {
  /** Routes of the rooms, beside the API. */
  readonly rooms: readonly AddRoomRoutes[]
  /** Banks' return files of boletos. */
  readonly returnFiles: ReturnFiles
  /** Search of a store's payments, for its people. */
  readonly payments: PaymentFinder
  /** Operators' keys; only production's are used. */
  readonly operatorKeys: OperatorKeys
  /** Figures of a store's payments. */
  readonly figures: Figures
}

export interface OpenedGateway {
  readonly gateway: GatewayWithRooms
  /** The options of the gateway. */
  readonly options: GatewayOptions
}

/** The gateway of an environment, with the test store in development. */
export async function openGateway(
  parts: ProcessParts,
  environment: Environment,
  of: EnvironmentParts,
): Promise<OpenedGateway> {
  const { clock, isServed } = of
  const { config, log, clock: machineClock, telemetry } = parts
  const opened = await openForService(parts, DATABASES[environment])
  const metric = `gateway_${environment}`
  const database = observedDatabase(opened, metric, telemetry)
  watchDatabase(parts, { readiness: isServed ? environment : undefined, metric }, database)
  const time = { clock, machineClock, randomBelow: randomInt, log }
  const { settlements, ...room } = createSettlements({
    ...time,
    environment,
    database,
    cards: of.cards,
    formats: await loadSettlementFormats(),
  })
  const search = createSearch({ ...time, database })
  const options: GatewayOptions = {
    ...(await optionsOf(parts, environment, of)),
    ...time,
    database,
    intentRemovals: [removeCharge],
    roomWork: [...room.work, ...search.work],
  }
  const onCore = createGatewayCore(options)
  const { methodRoom, bankWork, ...banks } = openBanks(parts, onCore, { ...of, ...room })
  const charges = createChargeRecords({ ...time, database })
  const returnFiles = createReturnFiles({ ...time, database, money: room.money, charges })
  const core = createGateway(onCore, methodRoom)
  const { installmentTerms, purchaseLimits, requestPolicy } = options
  const rules = { installmentTerms, purchaseLimits, requestPolicy }
  const { routes, work, ...links } = openLinks(parts, core, { ...time, database, ...rules })
  const { notifications, ofEvents, ...sending } = openSending(parts, options, { ...core, ...of })
  const desk = openDesk(options, { ...core, notifications }, of.cardAccounts)
  const gateway = {
    ...core,
    ...desk,
    ...banks,
    notifications,
    ...ofEvents,
    ...links,
    rooms: [routes, desk.deskRoutes, search.routesOver(core.listing), ...sending.sendingRoutes],
    settlements,
    returnFiles,
    payments: search.finderOver(core.listing),
    figures: search.figures,
    operatorKeys: createOperatorKeys({ database, clock: machineClock }),
    startWorker: () => core.startWorker([...sending.work, ...bankWork, ...work]),
  }
  await rewrapSecrets(gateway, sending, log)
  if (config.mode === 'dev') await prepareTestStore(gateway, parts)
  else await refuseSimulatorAccounts(gateway.accounts, environment)
  if (environment === 'sandbox' && isServed) await blockTestPayers(createPayerBlocklist(database))
  return { gateway, options }
}

/** The banks of an environment; those that work by files have the same interface. */
function openBanks(
  { telemetry }: ProcessParts,
  core: GatewayCore,
  of: EnvironmentParts & Pick<SettlementsRoom, 'money' | 'pageParts'>,
): Banks {
  const { bankOf, boletoObjections, money } = of
  const observed = observedBanks(bankOf, core.environment, telemetry)
  const options = { bankOf: boletosByFile(observed, core), boletoObjections, money }
  const { methodRoom, ...banks } = createBanks(core, options)
  const pageParts = [...methodRoom.pageParts, ...of.pageParts]
  return { ...banks, methodRoom: { ...methodRoom, pageParts } }
}

/** The desk, which names accounts as the vault does. */
function openDesk(
  options: GatewayOptions,
  core: Parameters<typeof createOperator>[1],
  vault: CardAccounts,
): OperatorRoom {
  return createOperator(
    { ...options, accountsOf: createAcquirerAccounts({ ...options, vault }) },
    core,
  )
}

async function rewrapSecrets(
  gateway: Gateway,
  { rewrapEndpoints }: Pick<EventsRoom, 'rewrapEndpoints'>,
  log: Log,
): Promise<void> {
  const secrets = (await gateway.rewrapSecrets()) + (await rewrapEndpoints())
  const { environment } = gateway
  if (secrets > 0) log.info({ environment, secrets }, 'secrets of stores and accounts were wrapped')
}

/**
 * Prepares the test store: the demo shops may show its card fields, and in production it has
 * accounts at the simulated banks. Settings made by a person stay.
 */
async function prepareTestStore(
  { accounts, environment, ensureMerchant }: Gateway,
  { config, clock, log }: ProcessParts,
): Promise<void> {
  const store = devStore(config)
  const { demo, 'demo-production': production } = config.endpoints
  const shops = [...originsOf(demo), ...originsOf(production)]
  const fieldOrigins = shops.filter((shop) => fieldOriginSchema.safeParse(shop).success)
  await ensureMerchant({ ...store, fieldOrigins })
  if (environment === 'sandbox') return
  await prepareSimulatorAccounts('bank', { accounts, storeId: store.id, log, nowMs: clock.now() })
}
