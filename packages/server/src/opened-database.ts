import {
  ForeignDatabaseError,
  NewerDatabaseError,
  OutdatedDatabaseError,
  isDamage,
} from '@cofre/sql'
import { SetupError, setUp } from './setup-error.js'

/** What to do about a database that a newer version has changed. */
export const NEWER_ADVICE = 'run the newer version, or restore the backup from before its upgrade'

/** What to do about a database of Cofre 0.1. */
export const OUTDATED_ADVICE = 'start with an empty database'

/** What to do about a database that holds the tables of something else. */
export const FOREIGN_ADVICE =
  'check what the variable and COFRE_DATA_DIR say, and which file was restored'

/** What to do about a database whose files are not as they were written. */
export const RESTORE_ADVICE =
  'stop what uses it, copy its files as they are, and restore the newest backup (docs/incidents.md)'

/** Opens, or looks at, the database that a variable names. @throws SetupError */
export async function openNamed<T>(variable: string, open: () => Promise<T>): Promise<T> {
  return await setUp(
    `The database that ${variable} names cannot be opened: check that it is there and may be written`,
    async () => {
      try {
        return await open()
      } catch (error) {
        if (isDamage(error))
          throw new SetupError(
            `The database that ${variable} names is damaged, and was left as it is: ${RESTORE_ADVICE}`,
            error,
          )
        if (error instanceof OutdatedDatabaseError)
          throw new SetupError(
            `The database that ${variable} names was made by Cofre 0.1, which this version cannot read: ${OUTDATED_ADVICE}`,
            error,
          )
        if (error instanceof ForeignDatabaseError)
          throw new SetupError(
            `The database that ${variable} names is that of another part of Cofre, or of another program: ${FOREIGN_ADVICE}`,
            error,
          )
        if (!(error instanceof NewerDatabaseError)) throw error
        throw new SetupError(
          `The database that ${variable} names has migrations of a newer version: ${NEWER_ADVICE}`,
          error.unknown.join(', '),
        )
      }
    },
  )
}
