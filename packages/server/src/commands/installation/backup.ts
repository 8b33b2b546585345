import path from 'node:path'
import { copySqliteFile, isDamage, isFileThere } from '@cofre/sql'
import type { Config } from '../../config/config.js'
import { SetupError, setUp } from '../../config/errors.js'
import { DATABASES, RESTORE_ADVICE } from '../../installation/databases.js'
import { gatewayKeyFileOf, vaultKeyFileOf } from '../../installation/keys.js'
import type { CommandContext, Shown } from '../line/command.js'

/**
 * The gateway's databases come first. The vault's later copy then knows every charge in them, so a
 * restored gateway can ask it how each one ended.
 */
const IN_ORDER = [DATABASES.production, DATABASES.sandbox, DATABASES.bank, DATABASES.vault]

export const backupCommand = {
  async backup(context: CommandContext, { folder }: { readonly folder: string }): Promise<Shown> {
    const config = context.config('dev')
    const files = await backUp(config, path.resolve(folder))
    const reminders = remindersOf(config)
    const lines = ['Copied and checked:', ...files.map((file) => `  ${file}`), ...reminders]
    return { data: { files, reminders }, text: `${lines.join('\n')}\n` }
  },
}

/** @returns the copies */
async function backUp(config: Config, folder: string): Promise<string[]> {
  const files = IN_ORDER.flatMap(({ fileIn }) => fileIn(config) ?? []).filter(isFileThere)
  if (files.length === 0)
    throw new SetupError(
      'There is no SQLite database here: check COFRE_DATA_DIR, and back PostgreSQL up with pg_dump (docs/operating.md)',
      `nothing in ${config.dataDir}`,
    )
  const copies: string[] = []
  for (const file of files) {
    const copy = path.join(folder, path.basename(file))
    await setUp(
      `${file} could not be copied: name an empty or new folder with enough space`,
      () => {
        copyWhole(file, copy)
      },
    )
    copies.push(copy)
  }
  return copies
}

/** @throws SetupError if the file is damaged, and SQLite's own errors */
function copyWhole(file: string, copy: string): void {
  try {
    copySqliteFile(file, copy)
  } catch (error) {
    if (!isDamage(error)) throw error
    throw new SetupError(
      `A database cannot be copied, because it is damaged: ${RESTORE_ADVICE}`,
      error,
    )
  }
}

/** Names parts of a whole backup that this one lacks. */
function remindersOf(config: Config): readonly string[] {
  const keys = [
    {
      file: vaultKeyFileOf(config),
      loss: 'no saved card can be opened, and no account at an acquirer can be used',
    },
    {
      file: gatewayKeyFileOf(config),
      loss: 'no store can sign, and no account at a bank can be used',
    },
  ]
    .filter(({ file }) => isFileThere(file))
    .map(
      ({ file, loss }) =>
        `The key file ${file} is not included: keep a copy of it elsewhere, because without it ${loss}.`,
    )
  return IN_ORDER.some(({ fileIn }) => fileIn(config) === undefined)
    ? [...keys, 'The databases in PostgreSQL are not included: use pg_dump (docs/operating.md).']
    : keys
}
