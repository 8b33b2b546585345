import type { Command } from 'commander'
import { configuredDatabases } from '../configured-databases.js'
import { type CommandContext, JSON_OPTION, type JsonOption, printData } from './command-context.js'

/** `cofre migrate`: brings the tables of every database up to date. */
export function addMigrateCommand(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .summary('Brings the tables of every database up to date')
    .description(
      'Opens every database that is configured, creates what is not there, applies the migrations that are missing, and tells which. A start does the same; this is for an upgrade that wants to see it done first. Back the databases up before.',
    )
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExamples\n  cofre migrate\n  cofre migrate --json\n')
    .action((options: JsonOption) => migrate(context, options))
}

async function migrate(context: CommandContext, options: JsonOption): Promise<void> {
  const done: { readonly database: string; readonly applied: readonly string[] }[] = []
  for (const configured of configuredDatabases(context.config('dev'))) {
    const database = await configured.open()
    await database.close()
    done.push({ database: configured.name, applied: database.migrated })
  }
  const lines = done.map(({ database, applied }) =>
    applied.length === 0
      ? `${database}: up to date\n`
      : `${database}: applied ${applied.join(', ')}\n`,
  )
  printData(context, options, { data: done, text: lines.join('') })
}
