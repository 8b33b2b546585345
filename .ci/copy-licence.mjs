// Every published package contains the licence; the repository has it once. npm runs this as
// `prepack`, in the package.
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { ROOT } from './run-tool.mjs'

copyFileSync(path.join(ROOT, 'LICENSE'), path.join(process.cwd(), 'LICENSE'))
