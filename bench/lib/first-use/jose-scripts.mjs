// What a shop would bundle with jose, minified by the terser that makes ours.
import { fileURLToPath } from 'node:url'
import nodeResolve from '@rollup/plugin-node-resolve'
import terser from '@rollup/plugin-terser'
import { rollup } from 'rollup'

/** The flow of the library: a session, a token, its deposit. */
export const joseScript = () => bundled('jose-page.mjs')

/** The encryption alone, as a function of the page. */
export const joseEncryptionScript = () => bundled('jose-token.mjs')

async function bundled(file) {
  const input = fileURLToPath(new URL(file, import.meta.url))
  const bundle = await rollup({ input, plugins: [nodeResolve({ browser: true })] })
  const { output } = await bundle.generate({
    format: 'iife',
    name: 'page',
    plugins: [terser({ ecma: 2020 })],
  })
  await bundle.close()
  return output[0].code
}
