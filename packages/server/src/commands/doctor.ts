import type { Command } from 'commander'
import { examine } from '../doctor/examination.js'
import type { Finding } from '../doctor/finding.js'
import type { Role } from '../config/config.js'
import { type CommandContext, JSON_OPTION, type JsonOption, printData } from './command-context.js'
import { zoneRolesOption } from './roles-option.js'

interface DoctorOptions extends JsonOption {
  readonly roles?: readonly Role[]
}

/** `cofre doctor`: looks at everything that a start needs. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .summary('Looks at everything that a start needs, and says what to do')
    .description(
      'Looks at the configuration, databases, keys, clocks, ports and addresses of this zone (or of the roles that are named), and says of each whether it is well and what to do. It changes nothing, and may run beside running processes. Ends with 1 when there is a problem.',
    )
    .addOption(zoneRolesOption())
    .option(...JSON_OPTION)
    .addHelpText('after', EXAMPLES)
    .action(async ({ roles, ...options }: DoctorOptions) => {
      const findings = await examine({
        config: (mode) => context.config(mode),
        clock: context.clock,
        roles,
      })
      printData(context, options, { data: findings, text: textOf(findings) })
      if (findings.some(({ level }) => level === 'problem')) context.fail()
    })
}

const MARKS: Readonly<Record<Finding['level'], string>> = {
  ok: 'ok      ',
  warning: 'warning ',
  problem: 'PROBLEM ',
}

function textOf(findings: readonly Finding[]): string {
  const lines = findings.map(({ level, subject, finding, advice }) => {
    const line = `${MARKS[level]} ${subject}: ${finding}\n`
    return advice === undefined ? line : `${line}           -> ${advice}\n`
  })
  const count = (level: Finding['level']): number =>
    findings.filter((finding) => finding.level === level).length
  const [problems, warnings] = [count('problem'), count('warning')]
  const verdict =
    problems + warnings === 0 ? 'All is well.' : `Problems: ${problems}. Warnings: ${warnings}.`
  return `${lines.join('')}\n${verdict}\n`
}

const EXAMPLES = `
Examples
  COFRE_ACQUIRER=sandbox cofre doctor
  cofre doctor --roles api,panel,worker
  cofre doctor --json
`
