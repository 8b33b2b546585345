import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { expect, it } from 'vitest'

const LIST_MODULES = `
  const { registerHooks } = await import('node:module')
  const loaded = []
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) loaded.push(url)
      return next(url, context)
    },
  })
  await import('@cofre/merchant')
  console.log(JSON.stringify(loaded))
`

it('costs a shop at most 23 modules to import, and none of them is zod', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', LIST_MODULES], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  const modules = JSON.parse(printed) as string[]
  expect(modules.length).toBeGreaterThan(5)
  expect(modules.length).toBeLessThanOrEqual(23)
  expect(modules.filter((url) => url.includes('/zod/'))).toEqual([])
})
