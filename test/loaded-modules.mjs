// Loaded before a program (`node --import`): records each of our modules that it loads, one per
// line, in the file in COFRE_LOADED.
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
