// Compiles every package and bundles the browser library.
import { runTool } from './run-tool.mjs'
import process from 'node:process'

process.exitCode =
  runTool('typescript', 'tsc', ['-b']) || runTool('rollup', 'rollup', ['-c', '--silent'])
