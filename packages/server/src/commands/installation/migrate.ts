import type { Role } from '../../config/config.js'
import { databasesOf } from '../../installation/databases.js'
import { installedRoles } from '../../installation/roles.js'
import type { CommandContext, Shown } from '../line/command.js'

/** `cofre migrate`: brings the tables of every database up to date. */
export const migrateCommand = {
  async migrate(
    context: CommandContext,
    { roles }: { readonly roles?: readonly Role[] },
  ): Promise<Shown> {
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
    const text = lines.length === 0 ? 'None of these roles has a database here.\n' : lines.join('')
    return { data, text }
  },
}
