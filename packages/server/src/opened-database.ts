import { NewerDatabaseError } from '@cofre/sql'
import { SetupError, setUp } from './setup-error.js'

/** What to do about a database that a newer version has changed. */
export const NEWER_ADVICE = 'run the newer version, or restore the backup from before its upgrade'

/** Opens, or looks at, the database that a variable names. @throws SetupError */
export async function openNamed<T>(variable: string, open: () => Promise<T>): Promise<T> {
  return await setUp(
    `The database that ${variable} names cannot be opened: check that it is there and may be written`,
    async () => {
      try {
        return await open()
      } catch (error) {
        if (!(error instanceof NewerDatabaseError)) throw error
        throw new SetupError(
          `The database that ${variable} names has migrations of a newer version: ${NEWER_ADVICE}`,
          error.unknown.join(', '),
        )
      }
    },
  )
}
