// Loaded before a program (`node --import`): notes which of our modules it loads, one a line, in
// the file that COFRE_LOADED names.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import process from 'node:process'

registerHooks({
  load(url, context, load) {
    const [, module] = /\/packages\/(.*)/.exec(url) ?? []
    if (module !== undefined) appendFileSync(process.env.COFRE_LOADED, `${module}\n`)
    return load(url, context)
  },
})
