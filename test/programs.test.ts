// Programs that no compiler checks (`.mjs`) find their imports from our packages: some run only in
// long tests or by hand.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { ROOT } from './packed-packages.js'

const IMPORT = /^import \{([^}]*)\} from '((?:@cofre\/|\.)[^']*)'/gm

const programs = execFileSync('git', ['ls-files', '*.mjs'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => existsSync(path.join(ROOT, file)) && file !== '')

const imports = programs.flatMap((file) =>
  [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(IMPORT)].map(
    ([, names = '', from = '']) => ({
      file,
      from,
      names: names
        .split(',')
        .map((name) => name.trim().split(' as ')[0] ?? '')
        .filter((name) => name !== ''),
    }),
  ),
)

it.each(imports)('$file finds what it imports from $from', async ({ file, from, names }) => {
  const found = createRequire(path.join(ROOT, file)).resolve(from)
  // Other modules may have side effects when loaded.
  if (!/[/\\]dist[/\\]/.test(found)) return
  const module = (await import(pathToFileURL(found).href)) as object
  expect(names.filter((name) => !(name in module))).toEqual([])
})
