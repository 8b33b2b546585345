// The browser library. `tsc -b` has checked the types and written the declarations; here the same
// sources become what a page loads. COFRE_VENDOR names the file and the global:
// payment.<vendor>.min.js, window.<Vendor>.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import nodeResolve from '@rollup/plugin-node-resolve'
import terser from '@rollup/plugin-terser'
import typescript from '@rollup/plugin-typescript'

const vendor = process.env.COFRE_VENDOR ?? 'cofre'
if (!/^[a-z][a-z0-9]*$/.test(vendor)) {
  throw new Error('COFRE_VENDOR must be lowercase letters and digits, beginning with a letter')
}

const client = 'packages/client'
const { version } = JSON.parse(readFileSync(`${client}/package.json`, 'utf8'))

const plugins = [
  nodeResolve(),
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
  /^(accepted|cvvSize|deps|lengths|luhn|outcome|prefixes|prepare|renewAtMs|sessionTimeoutMs)$/

// Never `module` or `toplevel`: they take the global for dead code and delete it.
const minification = {
  ecma: 2020,
  compress: { hoist_funs: true, passes: 3, sequences: false },
  mangle: { properties: { regex: internalProperties } },
}

const scriptTag = {
  format: 'iife',
  name: vendor[0].toUpperCase() + vendor.slice(1),
  banner: `/*! payment.${vendor} ${version} */`,
  sourcemap: true,
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
]
