// `npm run types`: declarations of every package, and the types of the tests, by TypeScript 7. Only
// version 6 builds the browser library (rollup.config.mjs).
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { startTool } from './run-tool.mjs'

// A single thread uses half of the CPU time and takes as long on two cores.
const tsc = (...args) =>
  startTool('typescript-7', 'tsc', { args: [...args, '--singleThreaded', '--pretty', 'false'] })

/** Checks the product, one package at a time: each sees only its dependencies. */
export const judgeProductTypes = () => tsc('-b', 'tsconfig.build.json')

/** Checks everything including tests, as editors do. */
export const judgeTestTypes = () => tsc('-p', 'tsconfig.json')

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const judge of [judgeProductTypes, judgeTestTypes]) {
    const { code, output } = await judge()
    process.stdout.write(output)
    process.exitCode ||= code
  }
