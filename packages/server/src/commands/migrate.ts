import type { Command } from 'commander'
import type { Role } from '../config/config.js'
import { databasesOf } from '../configured-databases.js'
import { rolesOfZone } from '../zone.js'
import { type CommandContext, JSON_OPTION, type JsonOption, printData } from './command-context.js'
import { zoneRolesOption } from './roles-option.js'

interface MigrateOptions extends JsonOption {
  readonly roles?: readonly Role[]
}

/** `cofre migrate`: brings the tables of every database up to date. */
export function addMigrateCommand(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .summary('Brings the tables of every database up to date')
    .description(
      'Opens the databases of this zone (or of the roles that are named), creates what is not there, applies the migrations that are missing, and tells which. A start does the same; this is for an upgrade that wants to see it done first. Back the databases up before.',
    )
    .addOption(zoneRolesOption())
    .option(...JSON_OPTION)
    .addHelpText('after', EXAMPLES)
    .action((options: MigrateOptions) => migrate(context, options))
}

async function migrate(
  context: CommandContext,
  { roles, ...options }: MigrateOptions,
): Promise<void> {
  const config = context.config('dev')
  const done: { readonly database: string; readonly applied: readonly string[] }[] = []
  for (const configured of databasesOf(config, roles ?? rolesOfZone(config))) {
    const database = await configured.open()
    await database.close()
    done.push({ database: configured.name, applied: database.migrated })
  }
  const lines = done.map(({ database, applied }) =>
    applied.length === 0
      ? `${database}: up to date\n`
      : `${database}: applied ${applied.join(', ')}\n`,
  )
  const text = lines.length === 0 ? 'None of these roles has a database here.\n' : lines.join('')
  printData(context, options, { data: done, text })
}

const EXAMPLES = `
Examples
  cofre migrate
  cofre migrate --json
  cofre migrate --roles vault
`
