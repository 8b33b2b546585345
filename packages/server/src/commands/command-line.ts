import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type { CommandContext, Handler, Result, Shown } from './line/command.js'
// The commands with their arguments, options and help texts.
import texts from './line/commands.json' with { type: 'json' }
import choices from './line/choices.json' with { type: 'json' }
import { UsageError } from './line/usage-error.js'
import { loadHandler } from './command-modules.js'

/** Allowed values of options and arguments. A test compares them with the product's own lists. */
const CHOICES: Readonly<Record<string, readonly string[]>> = choices

interface ValueText {
  readonly text: string
  readonly parse?: string
  readonly choices?: string
  readonly default?: unknown
  readonly mandatory?: boolean
  /** True for an option that may be repeated: its values are a list. */
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

/** Options with the same meaning for every command that has them. */
interface CommonOptions {
  readonly json?: true
  readonly sandbox?: true
}

/** Commands that run until they are stopped, and print no data. */
export const RUNNING: readonly string[] = ['dev', 'serve']

/** @param contextOf - Context of a command, by its name; called when the command runs. */
export function addCommands(
  program: Command,
  contextOf: (name: string) => Promise<CommandContext>,
): void {
  describe(program, texts.program)
  const paths = Object.keys(texts.commands)
  for (const [path, text] of Object.entries<CommandText>(texts.commands)) {
    const [group, name] = path.split(' ')
    const parent = name === undefined ? program : program.commands.find((c) => c.name() === group)
    const command = describe((parent ?? program).command(name ?? path), text)
    if (paths.some((other) => other.startsWith(`${path} `))) continue
    if (!RUNNING.includes(path)) command.option('--json', 'Print JSON instead of text')
    act(command, text, async () => ({
      context: await contextOf(path),
      handler: await loadHandler(path),
    }))
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

/** The value is parsed when the command runs: see `readValues`. */
function withValue<Value extends Argument | Option>(value: Value, text: ValueText): Value {
  if (text.many === true)
    value.argParser((one, before?: readonly unknown[]) => [...(before ?? []), one])
  if (text.choices !== undefined) value.choices([...(CHOICES[text.choices] ?? [])])
  if (text.default !== undefined) value.default(text.default)
  return value
}

/** Replaces names in braces with the allowed values. */
function filled(text: string): string {
  return text.replaceAll(/\{([a-z-]+)\}/g, (_, name: string) => CHOICES[name]?.join(', ') ?? '')
}

interface Loaded {
  readonly context: CommandContext
  readonly handler: Handler
}

/** Prints the result of a command's handler: as text, or with `--json` as lines of JSON. */
function act(command: Command, text: CommandText, load: () => Promise<Loaded>): void {
  command.action(async () => {
    const { json, sandbox, ...given } = await readValues(command, text)
    const isNamed = command.getOptionValueSource('environment') === 'cli'
    if (sandbox === true && isNamed && given.environment !== 'sandbox')
      throw new UsageError(
        `--sandbox and --environment ${String(given.environment)} contradict each other: omit one`,
      )
    const { context, handler } = await load()
    const { environment: named = 'production' } = given
    const environment = sandbox === true ? 'sandbox' : named
    const work = handler as (context: CommandContext, input: object) => Result
    const shows = work(context, { ...given, environment })
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

/** Parsed options and arguments by name. The parsers are loaded only if a value is given. */
async function readValues(command: Command, text: CommandText) {
  const values = command.opts<CommonOptions & Record<string, unknown>>()
  for (const option of command.options) {
    const name = option.attributeName()
    if (command.getOptionValueSource(name) !== 'cli') continue
    const what = (value: string) => `option '${option.flags}' argument '${value}' is invalid.`
    values[name] = await readAs(text.options?.[option.flags], values[name], { command, what })
  }
  for (const [i, argument] of command.registeredArguments.entries()) {
    const name = argument.name()
    const flags = Object.keys(text.arguments ?? {})[i] ?? ''
    const what = (value: string) =>
      `command-argument value '${value}' is invalid for argument '${name}'.`
    const key = name.replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase())
    values[key] = await readAs(text.arguments?.[flags], command.processedArgs[i], { command, what })
  }
  return values
}

interface Reading {
  readonly command: Command
  /** The value in commander's error text. */
  readonly what: (value: string) => string
}

async function readAs(
  text: ValueText | undefined,
  given: unknown,
  { command, what }: Reading,
): Promise<unknown> {
  if (text?.parse === undefined || text.choices !== undefined || given === undefined) return given
  const { PARSERS } = await import('./line/values.js')
  const parse = PARSERS[text.parse] ?? String
  const read = (value: unknown): unknown => {
    try {
      return parse(String(value))
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error
      return command.error(`error: ${what(String(value))} ${error.message}`, { code: error.code })
    }
  }
  return Array.isArray(given) ? given.map(read) : read(given)
}
