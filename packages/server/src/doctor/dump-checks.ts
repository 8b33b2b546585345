import { type ExecFileException, execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SECOND_MS } from '@cofre/contracts'
import type { Config } from '../config/config.js'
import type { ConfiguredDatabase } from '../installation/databases.js'
import { type Finding, about } from './finding.js'

const ABSENT = 'absent'
const SILENT = 'silent'
const ADVICE =
  "install the client programs of the server's version or a later one where the backup runs (docs/deploy.md)"

/**
 * Checks that this machine's `pg_dump` can back up the PostgreSQL servers; undefined without one.
 */
export async function checkDumps(
  config: Config,
  databases: readonly ConfiguredDatabase[],
  versionOf: () => Promise<string> = dumpVersion,
): Promise<Finding | undefined> {
  const onServers = databases.filter((database) => database.fileIn(config) === undefined)
  // An unreachable server has its own finding.
  const inspections = await Promise.allSettled(
    onServers.map((database) => database.inspect(config)),
  )
  const versions = inspections.flatMap((inspected) =>
    inspected.status === 'fulfilled' ? (inspected.value.serverVersion ?? []) : [],
  )
  if (versions.length === 0) return undefined
  return dumpFinding(Math.max(...versions), await versionOf())
}

/** @param printed - Output of `pg_dump --version`, or the reason why it is missing. */
function dumpFinding(server: number, printed: string): Finding {
  const { ok, warning } = about('pg_dump')
  if (printed === ABSENT)
    return warning('is not on this machine: the nightly backup cannot run here', ADVICE)
  if (printed === SILENT) return warning('did not answer: run pg_dump --version yourself', ADVICE)
  const version = Number.parseInt(printed.split(') ')[1] ?? '', 10)
  if (Number.isNaN(version))
    return warning('does not print its version: run pg_dump --version yourself', ADVICE)
  return version >= server
    ? ok(`version ${version} can back up the server's version ${server}`)
    : warning(
        `version ${version} refuses the server, which is version ${server}: every backup would fail`,
        ADVICE,
      )
}

async function dumpVersion(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('pg_dump', ['--version'], {
      timeout: 5 * SECOND_MS,
    })
    return stdout
  } catch (error) {
    const { killed: isEnded, code } = error as ExecFileException
    if (isEnded === true) return SILENT
    return code === 'ENOENT' ? ABSENT : ''
  }
}
