import type { Clock } from '@cofre/contracts'
import type { Config } from '../config/config.js'
import { misspeltSentence } from '../config/misspelt-variables.js'

/** What a command has of the world around it. */
export interface CommandContext {
  readonly clock: Clock
  /** Reads the configuration. @throws ConfigError */
  config(mode: Config['mode']): Config
  /** Writes to the standard output. */
  print(text: string): void
  /** Writes to the standard error, where it does not mix with what is printed. */
  warn(text: string): void
  /** Has the process end with exit code 1, although the command could do its work. */
  fail(): void
}

/** The same, warning of variables that nothing reads: a command would work on another database than was meant. */
export function warningOfMisspelt(context: CommandContext): CommandContext {
  const warned = new Set<string>()
  return {
    ...context,
    config(mode) {
      const config = context.config(mode)
      for (const sentence of config.misspelt.map(misspeltSentence)) {
        if (warned.has(sentence)) continue
        warned.add(sentence)
        context.warn(`cofre: warning: ${sentence}\n`)
      }
      return config
    },
  }
}

/** How every command that prints data takes the wish for JSON. */
export const JSON_OPTION = ['--json', 'Print JSON instead of text'] as const

export interface JsonOption {
  readonly json?: true
}

/** Prints data as one line of JSON, or as text. */
export function printData(
  context: CommandContext,
  { json }: JsonOption,
  shown: { readonly data: unknown; readonly text: string },
): void {
  context.print(json === true ? `${JSON.stringify(shown.data)}\n` : shown.text)
}
