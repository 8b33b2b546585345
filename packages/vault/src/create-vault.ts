import { type CardReturns, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { type DueWork, type Lanes, createLanes, runOnce } from '@cofre/work'
import { type InstallmentsOf, cardAccountsOf } from './account/account-service.js'
import { createAuditChain } from './audit/audit-service.js'
import { authenticate, pursueAuthentications } from './authorization/authentication-service.js'
import {
  activateSavedCard,
  createAuthorize,
  hasArrived,
  recallAuthorization,
} from './authorization/authorization-service.js'
import { oldestOpenCardMs } from './authorization/authorization-sql.js'
import { CANCEL_OVERDUE_MS, countOpenCancels } from './authorization/card-cancel-sql.js'
import { drawInstallation } from './authorization/card-charge.js'
import { countOpenCharges } from './authorization/card-charge-sql.js'
import type { ChargingDeps } from './authorization/charging-deps.js'
import { askForCancels, endCharges, eraseOldCards } from './authorization/charge-upkeep-service.js'
import {
  type ChargingAccounts,
  type ConnectionOfAccount,
  type ProviderTerms,
  createChargingAccounts,
} from './charging-accounts.js'
import { captureCharge, voidCharge } from './capture/capture-service.js'
import { countOpenCaptures } from './capture/capture-sql.js'
import { processCaptures } from './capture/capture-upkeep-service.js'
import { checkCard } from './card-check/card-check-service.js'
import { countUncharged, forgetChecks } from './card-check/card-check-sql.js'
import { forgetDeclines } from './card-testing/card-testing-service.js'
import { type KeyedDatabase, createDataKeys } from './data-key/data-key-service.js'
import { type DirectTokenDeps, depositDirectToken } from './direct-token/direct-token-service.js'
import { countLiveTokens, eraseExpiredTokens } from './direct-token/direct-token-sql.js'
import { openThreeDSecure } from './direct-token/three-d-secure-service.js'
import { fieldSettingsOf, setFieldSettings } from './field-settings/field-settings-service.js'
import type { FollowUp, Swept, Upkeep, Vault, VaultCensus } from './model/vault.js'
import { deleteSavedCard } from './saved-card/saved-card-service.js'
import { findStoredCard, storedCardsOf } from './saved-card/stored-card-service.js'
import { countSavedCards } from './saved-card/saved-card-sql.js'
import { applyDueEvents } from './notice/event-service.js'
import { createLaterReadings } from './later-reading/reading-service.js'
import { coverAccounts } from './later-reading/covered-sql.js'
import { countUnreported, forgetReported } from './later-reading/unreported-sql.js'
import { forgetForeignNotices } from './notice/foreign-notice-sql.js'
import { forgetExpired } from './notice/forgotten-charge-sql.js'
import { performReads } from './notice/planned-read-service.js'
import { UNDECIDED_FOR_MS } from './notice/resolve-service.js'
import { type NoticeDeps, expectsNotice, acceptNotice } from './notice/notice-service.js'
import {
  acknowledgeChanges,
  claimChanges,
  countParkedChanges,
  oldestChangeAtMs,
} from './outbox/change-sql.js'
import { SLOW_AFTER_MS } from './refund/card-return.js'
import { processReturns, refundCharge } from './refund/refund-service.js'
import { countOpenReturnsBefore } from './refund/return-sql.js'
import { openSession } from './session/session-service.js'
import { createMemorySessionStore } from './session/session-store-memory.js'
import type { SessionStore } from './session/session-store.js'
import { createSqlSessionStore } from './session/session-store-sql.js'

/** The pause between two searches for charges that need a follow-up. */
const FOLLOW_UP_MS = 2 * SECOND_MS

export interface VaultDeps
  extends
    KeyedDatabase,
    Pick<ChargingDeps, 'acquirerTimeoutMs' | 'leaseWaitMs' | 'log' | 'observer'>,
    Partial<Pick<ChargingDeps, 'played' | 'installation'>>,
    Partial<ChargingAccounts>,
    ProviderTerms {
  /** Connects the vault's own accounts. Without it, charges are simulated. */
  readonly connectionOf?: ConnectionOfAccount
  /** The store of sessions: by default memory on SQLite, and an unlogged table on PostgreSQL. */
  readonly memorySessions?: SessionStore
}

const unbounded: InstallmentsOf = () => Promise.resolve(undefined)

const NO_ACCOUNTS: ChargingAccounts = {
  accountsOf: () => Promise.resolve(() => Promise.resolve(undefined)),
  acquirerOf: (id) => Promise.reject(new Error(`no acquirer for the account ${id}`)),
  noticesOf: (id) => Promise.reject(new Error(`no notices for the account ${id}`)),
  noticeSecretOf: () => Promise.resolve(undefined),
  accountsNamed: () => Promise.resolve([]),
  installmentsFor: () => Promise.resolve(undefined),
}

/** The vault over its database. It opens no port and starts no timer. */
export function createVault({ memorySessions, keys, connectionOf, ...given }: VaultDeps): Vault {
  const { database, clock } = given
  const sessions =
    memorySessions ??
    (database.dialect.sharedByProcesses
      ? createSqlSessionStore(database)
      : createMemorySessionStore())
  // Only the data keys need the key-encryption keys: no use case gets them.
  const dataKeys = createDataKeys({ database, clock, keys })
  const deps: ChargingDeps & NoticeDeps & DirectTokenDeps & ChargingAccounts = {
    played: {},
    installation: drawInstallation(),
    ...(connectionOf === undefined
      ? NO_ACCOUNTS
      : createChargingAccounts({ database, clock, dataKeys }, connectionOf, given)),
    ...given,
    sessions,
    dataKeys,
  }
  const swept = { sessions: 0, directTokens: 0 }
  const upkeep = upkeepOf(deps, swept)
  return {
    openSession: () => openSession(deps),
    depositDirectToken: (token) => depositDirectToken(deps, token),
    openThreeDSecure: (sealed, key) => openThreeDSecure(deps, sealed, key),
    authorize: createAuthorize(deps),
    recallAuthorization: (environment, code) =>
      recallAuthorization(deps, { environment, transactionCode: code }),
    hasArrived: (environment, code) => hasArrived(deps, { environment, transactionCode: code }),
    authenticate: (request) => authenticate(deps, request),
    installmentsFor: (order) => deps.installmentsFor(order),
    activateSavedCard: (environment, transactionCode) =>
      activateSavedCard(deps, { environment, transactionCode }),
    ...afterCharges(deps),
    cardAccounts: (environment, storeId) =>
      cardAccountsOf(deps, given.installmentsOf ?? unbounded, { environment, storeId }),
    setFieldSettings: (settings) => setFieldSettings(deps, settings),
    fieldSettingsOf: (storeId) => fieldSettingsOf(deps, storeId),
    checkCard: (check) => checkCard(deps, check),
    storedCardsOf: (some) => storedCardsOf(deps, some),
    findStoredCard: (card) => findStoredCard(deps, card),
    deleteSavedCard: (environment, merchantId, code) =>
      deleteSavedCard(deps, { environment, merchantId, code }, `store:${merchantId}`),
    upkeep,
    async sweep() {
      await runOnce(upkeep)
      return { ...swept }
    },
    census: () => countRecords(deps),
    rewrapDataKeys: () => dataKeys.rewrapAll(),
  }
}

/** The part of a vault that follows charges after they are made. */
function afterCharges(
  deps: ChargingDeps & NoticeDeps,
): Pick<
  Vault,
  keyof CardReturns | 'expectsNotice' | 'acceptNotice' | 'followUp' | 'followUpCharges'
> {
  const { clock, database } = deps
  const followUp = followUpOf(deps)
  return {
    followUp,
    refund: (order) => refundCharge(deps, order),
    capture: (order) => captureCharge(deps, order),
    voidCharge: (order) => voidCharge(deps, order),
    changes: (environment) => claimChanges(database, environment, clock.now()),
    acknowledge: (environment, ids) =>
      acknowledgeChanges(database, { environment, ids }, clock.now()),
    expectsNotice: (accountId, secret) => expectsNotice(deps, accountId, secret),
    acceptNotice: (accountId, body) => acceptNotice(deps, accountId, body),
    coverAccounts: (environment, accounts) =>
      database.transact((trx) => coverAccounts(trx, { environment, accounts }, clock.now())),
    followUpCharges: () => runOnce(followUp),
  }
}

/** Rounds that run in parallel: they begin for longer than a call to an acquirer may take. */
const ROUNDS_AT_ONCE = 16
/** Items under way: a few unanswered ones of an acquirer don't block its others. */
const CONCURRENT_ITEMS_MAX = 80

/** Requests to acquirers without a gateway's request: a hanging one blocks no other. */
function followUpOf(deps: ChargingDeps & NoticeDeps): readonly DueWork<FollowUp>[] {
  const beside = (
    name: FollowUp,
    work: (lanes: Lanes) => Promise<void>,
    lanes = createLanes(CONCURRENT_ITEMS_MAX),
  ): DueWork<FollowUp> => ({
    name,
    everyMs: FOLLOW_UP_MS,
    parallel: ROUNDS_AT_ONCE,
    run: () => work(lanes),
  })
  return [
    { name: 'early events', everyMs: FOLLOW_UP_MS, run: () => applyDueEvents(deps) },
    beside('endings of charges', (lanes) => endCharges(deps, lanes)),
    beside('cancels', (lanes) => askForCancels(deps, lanes)),
    beside('authentications', (lanes) => pursueAuthentications(deps, lanes)),
    beside('captures', (lanes) => processCaptures(deps, lanes)),
    beside('refunds', (lanes) => processReturns(deps, lanes)),
    beside('looks at charges', (lanes) => performReads(deps, lanes)),
    // One step of an account after another: all other calls come first.
    beside('later readings', createLaterReadings(deps), createLanes()),
  ]
}

type UpkeepDeps = ChargingDeps & Pick<DirectTokenDeps, 'sessions' | 'dataKeys'>

/**
 * The data to erase, each row on its own: a failed one doesn't keep cards from being erased.
 * @param swept - Set to the counts of the last round.
 */
function upkeepOf(
  deps: UpkeepDeps,
  swept: { -readonly [Key in keyof Swept]: Swept[Key] },
): readonly DueWork<Upkeep>[] {
  const { clock, database, dataKeys, sessions } = deps
  const row = (name: Upkeep, run: () => Promise<unknown>) => ({ name, everyMs: MINUTE_MS, run })
  return [
    row('sessions', async () => (swept.sessions = await sessions.eraseExpired(clock.now()))),
    // An authorization has a copy of its token's card, so this touches no open one.
    row('direct tokens', async () => {
      const nowMs = clock.now()
      swept.directTokens = await database.transact((trx) => eraseExpiredTokens(trx, nowMs))
    }),
    row('old cards', () => eraseOldCards(deps)),
    row('old checks', () => forgetChecks(database, clock.now())),
    row('old declines', () => forgetDeclines(deps)),
    row('old charges', () => forgetExpired(database, clock.now())),
    row('foreign notices', () => forgetForeignNotices(database, clock.now())),
    row('unheard charges', () => forgetReported(database, clock.now())),
    row('spent data keys', () => dataKeys.eraseSpent()),
    row('audit chain', createAuditChain(deps)),
  ]
}

async function countRecords({
  clock,
  database,
  sessions,
}: ChargingDeps & { readonly sessions: SessionStore }): Promise<VaultCensus> {
  const nowMs = clock.now()
  return {
    sessions: await sessions.countLive(nowMs),
    directTokens: await countLiveTokens(database.reader, nowMs),
    savedCards: await countSavedCards(database.reader),
    openCardSinceMs: await oldestOpenCardMs(database.reader),
    undecidedCharges: await countOpenCharges(database.reader, nowMs - UNDECIDED_FOR_MS),
    openCancels: await countOpenCancels(database.reader, nowMs - CANCEL_OVERDUE_MS),
    openCaptures: await countOpenCaptures(database.reader),
    slowRefunds: await countOpenReturnsBefore(database.reader, nowMs - SLOW_AFTER_MS),
    parkedChanges: await countParkedChanges(database.reader),
    unchargedCards: await countUncharged(database.reader, nowMs),
    unreportedCharges: await countUnreported(database.reader),
    oldestChangeAtMs: {
      production: await oldestChangeAtMs(database.reader, 'production'),
      sandbox: await oldestChangeAtMs(database.reader, 'sandbox'),
    },
  }
}
