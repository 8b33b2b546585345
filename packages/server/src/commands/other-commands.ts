import { accountCommands } from './account.js'
import { archiveCommand } from './archive.js'
import { auditCommands } from './audit.js'
import { backupCommand } from './backup.js'
import { boletoCommands } from './boleto.js'
import { remittanceCommands } from './boleto-remit.js'
import { cardsCommands } from './cards.js'
import { fillLinksCommand } from './cards-fill-links.js'
import type { Handler } from './command-line.js'
import { doctorCommand } from './doctor.js'
import { keysCommands } from './keys.js'
import { lostSecretsCommands } from './lost-secrets.js'
import { listenCommand } from './listen.js'
import { logsCommand } from './logs.js'
import { migrateCommand } from './migrate.js'
import { notificationsCommands } from './notifications.js'
import { payerCommands } from './payer.js'
import { openCommand } from './open.js'
import { personCommands } from './person.js'
import { payerDataCommands } from './payer-data.js'
import { sandboxCommands } from './sandbox.js'
import { sandboxResetCommand } from './sandbox-reset.js'
import { storeCommands } from './store.js'
import { transactionsCommands } from './transactions.js'
import { acquirersTransactionsCommands } from './transactions-at-acquirers.js'
import { undecidedTransactionsCommands } from './transactions-undecided.js'
import { findTransactionsCommands } from './transactions-find.js'
import { triggerCommand } from './trigger.js'

/** What carries out every command but those that run until they are stopped. */
export const otherCommands: Readonly<Record<string, Handler>> = {
  ...doctorCommand,
  ...migrateCommand,
  ...openCommand,
  ...backupCommand,
  ...archiveCommand,
  ...storeCommands,
  ...lostSecretsCommands,
  ...accountCommands,
  ...payerCommands,
  ...personCommands,
  ...payerDataCommands,
  ...findTransactionsCommands,
  ...boletoCommands,
  ...remittanceCommands,
  ...transactionsCommands,
  ...acquirersTransactionsCommands,
  ...undecidedTransactionsCommands,
  ...notificationsCommands,
  ...sandboxCommands,
  ...sandboxResetCommand,
  ...listenCommand,
  ...logsCommand,
  ...triggerCommand,
  ...cardsCommands,
  ...fillLinksCommand,
  ...keysCommands,
  ...auditCommands,
}
