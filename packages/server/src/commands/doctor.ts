import type { Command } from 'commander'
import type { Role } from '../config/config.js'
import { examine } from '../doctor/examine.js'
import type { Finding } from '../doctor/finding.js'
import { type CommandContext, rolesOption, shows } from './command.js'

/** `cofre doctor`: looks at everything that a start needs. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('doctor')
    .summary('Looks at everything that a start needs, and says what to do')
    .description(
      'Looks at the configuration, databases, keys, clocks, ports and addresses of this installation (or of the roles that are named), and says of each whether it is well and what to do. It changes nothing, and may run beside running processes. Ends with 1 when there is a problem.',
    )
    .addOption(rolesOption('those that the variables describe'))
    .addHelpText('after', EXAMPLES)
  shows(command, context, async ({ roles }: { readonly roles?: readonly Role[] }) => {
    const findings = await examine({
      config: (mode) => context.config(mode),
      clock: context.clock,
      roles,
    })
    const isFailure = findings.some(({ level }) => level === 'problem')
    return { data: findings, text: textOf(findings), isFailure }
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
