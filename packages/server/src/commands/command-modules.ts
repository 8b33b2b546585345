// Modules by command. Each is loaded when its command runs, so that the help and small commands
// load no others.
import type { Handler } from './line/command.js'

type Load = () => Promise<Readonly<Record<string, Handler>>>

const run: Load = async () => (await import('./installation/run.js')).runCommands
const storeKeys: Load = async () => (await import('./store/store-key.js')).storeKeyCommands
const payers: Load = async () => (await import('./payments/payer.js')).payerCommands
const transactionFinds: Load = async () =>
  (await import('./payments/transactions-find.js')).findTransactionsCommands
const transactionsAtAcquirers: Load = async () =>
  (await import('./payments/transactions-at-acquirers.js')).acquirersTransactionsCommands
const remittances: Load = async () =>
  (await import('./payments/boleto-remit.js')).remittanceCommands

/** Modules by command, or by the group of commands without their own row. */
const MODULES: Readonly<Record<string, Load>> = {
  dev: run,
  serve: run,
  open: async () => (await import('./installation/open.js')).openCommand,
  doctor: async () => (await import('./installation/doctor.js')).doctorCommand,
  migrate: async () => (await import('./installation/migrate.js')).migrateCommand,
  backup: async () => (await import('./installation/backup.js')).backupCommand,
  archive: async () => (await import('./installation/archive.js')).archiveCommand,
  store: async () => (await import('./store/store.js')).storeCommands,
  'store notification-secret': storeKeys,
  'store-key': storeKeys,
  'operator-key': async () => (await import('./people/operator-key.js')).operatorKeyCommands,
  'store give-up': async () => (await import('./store/lost-secrets.js')).lostSecretsCommands,
  account: async () => (await import('./account/account.js')).accountCommands,
  person: async () => (await import('./people/person.js')).personCommands,
  block: payers,
  unblock: payers,
  payer: async () => (await import('./payments/payer-data.js')).payerDataCommands,
  boleto: async () => (await import('./payments/boleto.js')).boletoCommands,
  'boleto remit': remittances,
  'boleto skip': remittances,
  transactions: async () => (await import('./payments/transactions.js')).transactionsCommands,
  'transactions list': transactionFinds,
  'transactions show': transactionFinds,
  'transactions resolve': transactionsAtAcquirers,
  'transactions report-again': transactionsAtAcquirers,
  'transactions unlinked': transactionsAtAcquirers,
  'transactions undecided': async () =>
    (await import('./payments/transactions-undecided.js')).undecidedTransactionsCommands,
  notifications: async () => (await import('./payments/notifications.js')).notificationsCommands,
  sandbox: async () => (await import('./sandbox/sandbox.js')).sandboxCommands,
  'sandbox reset': async () => (await import('./sandbox/sandbox-reset.js')).sandboxResetCommand,
  listen: async () => (await import('./sandbox/listen.js')).listenCommand,
  logs: async () => (await import('./sandbox/logs.js')).logsCommand,
  trigger: async () => (await import('./sandbox/trigger.js')).triggerCommand,
  'cards delete': async () => (await import('./payments/cards.js')).cardsCommands,
  'cards fill-links': async () => (await import('./payments/cards-fill-links.js')).fillLinksCommand,
  keys: async () => (await import('./installation/keys.js')).keysCommands,
  audit: async () => (await import('./installation/audit.js')).auditCommands,
}

/** Loads the handler of a command like `store create`. */
export async function loadHandler(command: string): Promise<Handler> {
  const load = MODULES[command] ?? MODULES[command.split(' ')[0] ?? '']
  const handler = (await load?.())?.[command]
  if (handler === undefined) throw new Error(`no module carries out ${command}`)
  return handler
}
