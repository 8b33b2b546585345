import type { Role } from '../config/config.js'
import { examine } from '../doctor/examine.js'
import type { Finding } from '../doctor/finding.js'
import type { CommandContext, Shown } from './command.js'

/** `cofre doctor`: looks at everything that a start needs. */
export const doctorCommand = {
  async doctor(
    context: CommandContext,
    { roles }: { readonly roles?: readonly Role[] },
  ): Promise<Shown> {
    const findings = await examine(context, roles)
    const isFailure = findings.some(({ level }) => level === 'problem')
    return { data: findings, text: textOf(findings), isFailure }
  },
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
