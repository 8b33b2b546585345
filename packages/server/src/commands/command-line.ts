import type { Environment } from '@cofre/contracts'
import { Argument, type Command, Option } from 'commander'
import type { CommandContext, Shown, Shows } from './command.js'
// What each command takes and does, as its help says it.
import texts from './commands.json' with { type: 'json' }
import { CHOICES, PARSERS } from './values.js'

interface ValueText {
  readonly text: string
  readonly parse?: string
  readonly choices?: string
  readonly default?: unknown
  readonly mandatory?: boolean
  /** Of an option that may be given several times: its values are a list. */
  readonly many?: boolean
}

interface CommandText {
  readonly summary?: string
  readonly description: string
  readonly arguments?: Readonly<Record<string, ValueText>>
  readonly options?: Readonly<Record<string, ValueText>>
  readonly note?: string
  readonly examples?: readonly string[]
}

/** Options whose meaning is the same for every command that has them. */
interface CommonOptions {
  readonly json?: true
  readonly sandbox?: true
}

/** They print no data. */
const RUNNING = ['dev', 'serve']

/**
 * Does a command's work, given its arguments and options by name; `environment` is what `--sandbox`
 * says. The result is printed.
 */
export type Handler = (context: CommandContext, input: never) => Result
type Result = Promise<Shown | undefined> | Shows

/** @param handlers - By the names of their commands, like `store create`. */
export function addCommands(
  program: Command,
  handlers: Readonly<Record<string, Handler>>,
  contextOf: (name: string) => CommandContext,
): void {
  describe(program, texts.program)
  for (const [path, text] of Object.entries<CommandText>(texts.commands)) {
    const [group, name] = path.split(' ')
    const parent = name === undefined ? program : program.commands.find((c) => c.name() === group)
    const command = describe((parent ?? program).command(name ?? path), text)
    const handler = handlers[path]
    if (handler === undefined) continue
    if (!RUNNING.includes(path)) command.option('--json', 'Print JSON instead of text')
    act(command, contextOf(path), handler)
  }
}

function describe(command: Command, text: CommandText): Command {
  command.description(text.description)
  if (text.summary !== undefined) command.summary(text.summary)
  for (const [name, value] of Object.entries(text.arguments ?? {}))
    command.addArgument(withValue(new Argument(name, filled(value.text)), value))
  for (const [flags, value] of Object.entries(text.options ?? {}))
    command.addOption(
      withValue(new Option(flags, filled(value.text)), value).makeOptionMandatory(
        value.mandatory === true,
      ),
    )
  const { note, examples } = text
  if (note !== undefined) command.addHelpText('after', `\n${note}`)
  if (examples !== undefined)
    command.addHelpText('after', `\nExamples\n${examples.map((line) => `  ${line}\n`).join('')}`)
  return command
}

function withValue<Value extends Argument | Option>(value: Value, text: ValueText): Value {
  const parse = PARSERS[text.parse ?? ''] ?? String
  if (text.many === true)
    value.argParser((one, before?: readonly unknown[]) => [...(before ?? []), parse(one)])
  else if (text.parse !== undefined) value.argParser(parse)
  if (text.choices !== undefined) value.choices(CHOICES[text.choices] ?? [])
  if (text.default !== undefined) value.default(text.default)
  return value
}

/** A text with the values that it names in braces. */
function filled(text: string): string {
  return text.replaceAll(/\{([a-z-]+)\}/g, (_, name: string) => CHOICES[name]?.join(', ') ?? '')
}

/** Has a command print what its handler shows: as text, or with `--json` as lines of JSON. */
function act(command: Command, context: CommandContext, handler: Handler): void {
  const work = handler as (context: CommandContext, input: object) => Result
  command.action(async () => {
    const args = command.registeredArguments.map((argument, i): [string, unknown] => [
      argument.name().replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase()),
      command.processedArgs[i],
    ])
    const { json, sandbox, ...options } = command.opts<CommonOptions>()
    const environment: Environment = sandbox === true ? 'sandbox' : 'production'
    const shows = work(context, { environment, ...options, ...Object.fromEntries(args) })
    const print = (shown: Shown): void => {
      context.print(json === true ? `${JSON.stringify(shown.data)}\n` : shown.text)
      if (shown.isFailure === true) context.fail()
    }
    if ('then' in shows) {
      const shown = await shows
      if (shown !== undefined) print(shown)
    } else for await (const shown of shows) print(shown)
  })
}
