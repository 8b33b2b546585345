import type { Role } from '../../config/config.js'
import { examine } from '../../doctor/examine.js'
import type { Finding } from '../../doctor/finding.js'
import type { CommandContext, Shown } from '../line/command.js'

interface DoctorOptions {
  readonly roles?: readonly Role[]
  readonly rules?: true
}

/** `cofre doctor`: checks everything that a start needs, or lists the rules in force. */
export const doctorCommand = {
  async doctor(context: CommandContext, { roles, rules }: DoctorOptions): Promise<Shown> {
    if (rules === true) return await shownRules()
    const findings = await examine(context, roles)
    const isFailure = findings.some(({ level }) => level === 'problem')
    return { data: findings, text: findingsText(findings), isFailure }
  },
}

/** Loaded here, because no other command needs the providers' rules. */
async function shownRules(): Promise<Shown> {
  const { COMPARED_ON, RULES_IN_FORCE } = await import('../../doctor/rules-in-force.js')
  const data = RULES_IN_FORCE.map(({ rule, since = null, source, here, test }) => {
    return { rule: rule.en, since, source, here: here.en, test, comparedOn: COMPARED_ON }
  })
  const texts = data.map(({ rule, since, source, here, test }) => {
    const day = since === null ? '' : `   since ${since}\n`
    return `${rule}\n${day}   here: ${here}\n   source: ${source}\n   test: ${test.file}: ${test.title}\n`
  })
  return {
    data,
    text: `${texts.join('\n')}\nLast compared with their sources on ${COMPARED_ON}.\n`,
  }
}

const MARKS: Readonly<Record<Finding['level'], string>> = {
  ok: 'ok      ',
  warning: 'warning ',
  problem: 'PROBLEM ',
}

function findingsText(findings: readonly Finding[]): string {
  const lines = findings.map(({ level, subject, finding, advice }) => {
    const line = `${MARKS[level]} ${subject}: ${finding}\n`
    return advice === undefined ? line : `${line}           -> ${advice}\n`
  })
  const count = (level: Finding['level']): number =>
    findings.filter((finding) => finding.level === level).length
  const [problems, warnings] = [count('problem'), count('warning')]
  const verdict =
    problems + warnings === 0
      ? 'No problems found.'
      : `Problems: ${problems}. Warnings: ${warnings}.`
  return `${lines.join('')}\n${verdict}\n`
}
