// The types of everything with its tests, and its style, by one program of the compiler: ESLint
// alone makes one a package, and none of them knows what `tsc` has found out.
import path from 'node:path'
import process from 'node:process'
import { ESLint } from 'eslint'
import ts from 'typescript'
import { ROOT } from './run-tool.mjs'

const program = programOf(path.join(ROOT, 'tsconfig.tests.json'))
const errors = ts.getPreEmitDiagnostics(program)
console.log(
  ts.formatDiagnostics(errors, {
    getCurrentDirectory: () => ROOT,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  }),
)

const eslint = new ESLint({
  cwd: ROOT,
  overrideConfig: {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { programs: [program], project: null } },
  },
})
const results = await eslint.lintFiles(['.'])
const { format } = await eslint.loadFormatter('stylish')
console.log(await format(results))
const isClean = results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0)
process.exitCode = errors.length === 0 && isClean ? 0 : 1

function programOf(file) {
  const configured = ts.getParsedCommandLineOfConfigFile(
    file,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic({ messageText }) {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
      },
    },
  )
  return ts.createProgram(configured.fileNames, configured.options)
}
