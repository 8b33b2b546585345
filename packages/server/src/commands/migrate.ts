import type { Command } from 'commander'
import type { Role } from '../config/config.js'
import { databasesOf } from '../installation/databases.js'
import { installedRoles } from '../installation/roles.js'
import { type CommandContext, rolesOption, shows } from './command.js'

/** `cofre migrate`: brings the tables of every database up to date. */
export function addMigrateCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('migrate')
    .summary('Brings the tables of every database up to date')
    .description(
      'Opens the databases of this installation (or of the roles that are named), creates what is not there, applies the migrations that are missing, and shows which. A start does the same; this is for an upgrade that wants to see it done first. Back the databases up before.',
    )
    .addOption(rolesOption('those that the variables describe'))
    .addHelpText('after', EXAMPLES)
  shows(command, context, async ({ roles }: { readonly roles?: readonly Role[] }) => {
    const config = context.config('dev')
    const data: { readonly database: string; readonly applied: readonly string[] }[] = []
    for (const { name, open } of databasesOf(config, roles ?? installedRoles(config))) {
      const database = await open(config)
      await database.close()
      data.push({ database: name, applied: database.migrated })
    }
    const lines = data.map(
      ({ database, applied }) =>
        `${database}: ${applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`}\n`,
    )
    return { data, text: lines.join('') || 'None of these roles has a database here.\n' }
  })
}

const EXAMPLES = `
Examples
  cofre migrate
  cofre migrate --json
  cofre migrate --roles vault
`
