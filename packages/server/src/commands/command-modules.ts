// Modules by command. Each is loaded when its command runs, so that the help and small commands
// load no others.
import type { Handler } from './command.js'

type Load = () => Promise<Readonly<Record<string, Handler>>>

const run: Load = async () => (await import('./run.js')).runCommands
const storeKeys: Load = async () => (await import('./store-key.js')).storeKeyCommands
const payers: Load = async () => (await import('./payer.js')).payerCommands
const transactionFinds: Load = async () =>
  (await import('./transactions-find.js')).findTransactionsCommands
const transactionsAtAcquirers: Load = async () =>
  (await import('./transactions-at-acquirers.js')).acquirersTransactionsCommands
const remittances: Load = async () => (await import('./boleto-remit.js')).remittanceCommands

/** Modules by command, or by the group of commands without their own row. */
const MODULES: Readonly<Record<string, Load>> = {
  dev: run,
  serve: run,
  open: async () => (await import('./open.js')).openCommand,
  doctor: async () => (await import('./doctor.js')).doctorCommand,
  migrate: async () => (await import('./migrate.js')).migrateCommand,
  backup: async () => (await import('./backup.js')).backupCommand,
  archive: async () => (await import('./archive.js')).archiveCommand,
  store: async () => (await import('./store.js')).storeCommands,
  'store notification-secret': storeKeys,
  'store-key': storeKeys,
  'operator-key': async () => (await import('./operator-key.js')).operatorKeyCommands,
  'store give-up': async () => (await import('./lost-secrets.js')).lostSecretsCommands,
  account: async () => (await import('./account.js')).accountCommands,
  person: async () => (await import('./person.js')).personCommands,
  block: payers,
  unblock: payers,
  payer: async () => (await import('./payer-data.js')).payerDataCommands,
  boleto: async () => (await import('./boleto.js')).boletoCommands,
  'boleto remit': remittances,
  'boleto skip': remittances,
  transactions: async () => (await import('./transactions.js')).transactionsCommands,
  'transactions list': transactionFinds,
  'transactions show': transactionFinds,
  'transactions resolve': transactionsAtAcquirers,
  'transactions report-again': transactionsAtAcquirers,
  'transactions unlinked': transactionsAtAcquirers,
  'transactions undecided': async () =>
    (await import('./transactions-undecided.js')).undecidedTransactionsCommands,
  notifications: async () => (await import('./notifications.js')).notificationsCommands,
  sandbox: async () => (await import('./sandbox.js')).sandboxCommands,
  'sandbox reset': async () => (await import('./sandbox-reset.js')).sandboxResetCommand,
  listen: async () => (await import('./listen.js')).listenCommand,
  logs: async () => (await import('./logs.js')).logsCommand,
  trigger: async () => (await import('./trigger.js')).triggerCommand,
  'cards delete': async () => (await import('./cards.js')).cardsCommands,
  'cards fill-links': async () => (await import('./cards-fill-links.js')).fillLinksCommand,
  keys: async () => (await import('./keys.js')).keysCommands,
  audit: async () => (await import('./audit.js')).auditCommands,
}

/** Loads the handler of a command like `store create`. */
export async function loadHandler(command: string): Promise<Handler> {
  const load = MODULES[command] ?? MODULES[command.split(' ')[0] ?? '']
  const handler = (await load?.())?.[command]
  if (handler === undefined) throw new Error(`no module carries out ${command}`)
  return handler
}
