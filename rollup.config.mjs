// The scripts of pages: the browser library, and that of the sandbox's reference. `npm run types`
// checks the library's types and writes its declarations. COFRE_VENDOR names the library's file
// and its global: payment.<vendor>.min.js, window.<Vendor>.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { URL } from 'node:url'
import nodeResolve from '@rollup/plugin-node-resolve'
import terser from '@rollup/plugin-terser'
import typescript from '@rollup/plugin-typescript'
import ts from 'typescript'

const vendor = process.env.COFRE_VENDOR ?? 'cofre'
if (!/^[a-z][a-z0-9]*$/.test(vendor)) {
  throw new Error('COFRE_VENDOR must be lowercase letters and digits, beginning with a letter')
}

const client = 'packages/client'
const { version } = JSON.parse(readFileSync(`${client}/package.json`, 'utf8'))

const contracts = `${path.sep}contracts${path.sep}dist${path.sep}`

/**
 * The library's bytes are recorded. So TypeScript compiles its part of the contracts too, from the
 * source: the build's esbuild would write other bytes.
 */
const contractsByTypescript = {
  name: 'contracts-by-typescript',
  load(id) {
    if (!id.includes(contracts)) return undefined
    const fileName = id.replace(contracts, contracts.replace('dist', 'src')).replace(/js$/, 'ts')
    const { outputText } = ts.transpileModule(readFileSync(fileName, 'utf8'), {
      fileName,
      compilerOptions: {
        target: ts.ScriptTarget.ES2024,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
        sourceMap: true,
      },
    })
    return outputText
  },
}

const plugins = [
  nodeResolve(),
  contractsByTypescript,
  typescript({
    tsconfig: `${client}/tsconfig.json`,
    compilerOptions: {
      composite: false,
      declaration: false,
      emitDeclarationOnly: false,
      incremental: false,
      // The sources are not served beside their maps.
      inlineSources: true,
      isolatedDeclarations: false,
      module: 'NodeNext',
      noCheck: true,
    },
  }),
]

// Names of properties that neither a page nor the platform ever sees.
const internalProperties =
  /^(cvvSize|deps|dropWaiting|header|lengths|luhn|prefixes|prepare|renewAtMs|takeSession)$/

// Never `module` or `toplevel`: they take the global for dead code and delete it.
const minification = {
  ecma: 2020,
  compress: {
    hoist_funs: true,
    passes: 3,
    sequences: false,
    // Nothing that is read has an effect by that.
    pure_getters: true,
  },
  mangle: { properties: { regex: internalProperties } },
}

const globalName = vendor[0].toUpperCase() + vendor.slice(1)

const scriptTag = {
  format: 'iife',
  name: globalName,
  banner: `/*! payment.${vendor} ${version} */`,
  sourcemap: true,
}

const fieldsTag = {
  format: 'iife',
  banner: `/*! fields.${vendor} ${version} */`,
  // The library's `var` would overwrite it: the script itself sets the global.
  intro: `const VENDOR_GLOBAL = '${globalName}';`,
  sourcemap: true,
}

/** The look of the frame, beside its program. */
const fieldsStyle = {
  name: 'fields-style',
  generateBundle() {
    const source = readFileSync(`${client}/assets/fields-frame.css`)
    this.emitFile({ type: 'asset', fileName: 'fields-frame.css', source })
  },
}

const sandbox = 'packages/sandbox'
const swaggerUi = new URL('./', import.meta.resolve('swagger-ui-dist/package.json'))

/**
 * Puts what the reference loads beside its script. Copies: who installs Cofre should not install
 * swagger-ui-dist, with which a package comes that reports installations to a stranger.
 */
const referenceFiles = {
  name: 'reference-files',
  generateBundle() {
    const copied = {
      'icon.svg': new URL('packages/panel/assets/icon.svg', import.meta.url),
      'swagger-ui.css': new URL('swagger-ui.css', swaggerUi),
      'swagger-ui-bundle.js': new URL('swagger-ui-bundle.js', swaggerUi),
      'swagger-ui-bundle.js.LICENSE.txt': new URL('swagger-ui-bundle.js.LICENSE.txt', swaggerUi),
      'swagger-ui.LICENSE.txt': new URL('LICENSE', swaggerUi),
      'swagger-ui.NOTICE.txt': new URL('NOTICE', swaggerUi),
    }
    for (const [fileName, file] of Object.entries(copied))
      this.emitFile({ type: 'asset', fileName, source: readFileSync(file) })
    // In a layer, so that swagger-ui's style reaches no other page.
    const base = readFileSync('packages/pages/assets/base.css', 'utf8')
    const source = `@layer base {\n${base}}\n${readFileSync(`${sandbox}/assets/docs.css`, 'utf8')}`
    this.emitFile({ type: 'asset', fileName: 'docs.css', source })
  },
}

export default [
  {
    input: `${client}/src/script-tag.ts`,
    plugins,
    output: [
      { ...scriptTag, file: `${client}/dist/payment.${vendor}.js` },
      {
        ...scriptTag,
        file: `${client}/dist/payment.${vendor}.min.js`,
        plugins: [terser(minification)],
      },
    ],
  },
  {
    input: `${client}/src/index.ts`,
    plugins,
    output: { format: 'es', file: `${client}/dist/index.js`, sourcemap: true },
  },
  {
    input: `${client}/src/fields-script-tag.ts`,
    plugins,
    output: [
      { ...fieldsTag, file: `${client}/dist/fields.${vendor}.js` },
      {
        ...fieldsTag,
        file: `${client}/dist/fields.${vendor}.min.js`,
        plugins: [terser(minification)],
      },
    ],
  },
  {
    input: `${client}/src/fields.ts`,
    plugins,
    output: { format: 'es', file: `${client}/dist/fields.js`, sourcemap: true },
  },
  {
    input: `${client}/src/fields-frame.ts`,
    plugins: [...plugins, fieldsStyle],
    output: {
      format: 'iife',
      file: `${client}/dist/fields-frame.min.js`,
      sourcemap: true,
      plugins: [terser(minification)],
    },
  },
  {
    input: `${sandbox}/assets/docs.js`,
    plugins: [nodeResolve(), referenceFiles],
    output: { format: 'es', dir: `${sandbox}/dist/assets` },
  },
]
