import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { COMPARED_ON, RULES_IN_FORCE } from './rules-in-force.js'

const root = new URL('../../../../', import.meta.url)

function hasTest({ file, title }: (typeof RULES_IN_FORCE)[number]['test']): boolean {
  const path = fileURLToPath(new URL(file, root))
  if (!/\.test\.tsx?$/.test(file) || !existsSync(path)) return false
  const source = readFileSync(path, 'utf8')
  return [`'${title.replaceAll("'", String.raw`\'`)}'`, `"${title}"`, `\`${title}\``].some((text) =>
    source.replaceAll(/\(\s+/g, '(').includes(`(${text},`),
  )
}

describe('The rules in force', () => {
  it.each(RULES_IN_FORCE)('are tested: $rule.en', ({ test }) => {
    expect({ ...test, isThere: hasTest(test) }).toEqual({ ...test, isThere: true })
  })

  it('each stand there once', () => {
    const rules = RULES_IN_FORCE.flatMap(({ rule }) => [rule.en, rule['pt-BR']])
    expect(new Set(rules).size).toBe(rules.length)
  })

  it.each(RULES_IN_FORCE)('fit a table and a date: $rule.en', ({ rule, since, source, here }) => {
    for (const text of [source, ...Object.values(rule), ...Object.values(here)])
      expect(text).toMatch(/^[^|\n]+$/)
    expect(since ?? COMPARED_ON).toMatch(/^\d{4}(?:-\d\d){0,2}$/)
  })
})
