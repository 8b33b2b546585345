// `npm run types`: declarations of every package, and the types of the tests, by TypeScript 7. The
// browser library is built by version 6 alone (rollup.config.mjs).
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { startTool } from './run-tool.mjs'

// One thread takes half of the processor's time, and is as soon done on two cores.
const tsc = (...args) =>
  startTool('typescript-7', 'tsc', { args: [...args, '--singleThreaded', '--pretty', 'false'] })

/** Types of the product, a package at a time: none sees more than it may. */
export const judgeProductTypes = () => tsc('-b', 'tsconfig.build.json')

/** Types of everything with its tests, as editors see them. */
export const judgeTestTypes = () => tsc('-p', 'tsconfig.json')

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const judge of [judgeProductTypes, judgeTestTypes]) {
    const { code, output } = await judge()
    process.stdout.write(output)
    process.exitCode ||= code
  }
