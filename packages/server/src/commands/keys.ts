import { type Command, InvalidArgumentError } from 'commander'
import { type CommandContext, JSON_OPTION, type JsonOption, printData } from './command-context.js'
import { KeyCommands, type Shown } from './key-commands.js'

interface SplitOptions extends JsonOption {
  readonly shares: number
  readonly threshold: number
}

/** `cofre keys`: the vault's key-encryption keys. */
export function addKeysCommands(program: Command, context: CommandContext): void {
  const keys = program
    .command('keys')
    .summary("The vault's key-encryption keys: status, rotate, rewrap, retire, split")
    .description(
      "The vault's key-encryption keys. They wrap the data keys, which seal the cards. Every command may run while payments go on.",
    )
    .addHelpText('after', EXAMPLES)
  const commands = (): KeyCommands => new KeyCommands(context.config('dev'), context.clock)
  const print = async (options: JsonOption, shown: Promise<Shown>) => {
    printData(context, options, await shown)
  }
  keys
    .command('status')
    .description('Shows each key: its id, whether it is the current one, what it wraps, its age.')
    .option(...JSON_OPTION)
    .action((options: JsonOption) => print(options, commands().status()))
  keys
    .command('rotate')
    .description('Adds a new key, makes it the current one and wraps every data key by it.')
    .option(...JSON_OPTION)
    .action((options: JsonOption) => print(options, commands().rotate()))
  keys
    .command('rewrap')
    .description(
      'Wraps every data key by the current key: after an interrupted rotation, or a change of COFRE_VAULT_KEYS or COFRE_VAULT_KEY_SHARES.',
    )
    .option(...JSON_OPTION)
    .action((options: JsonOption) => print(options, commands().rewrap()))
  keys
    .command('retire')
    .description('Takes a key that wraps nothing any more out of the key file.')
    .argument('<id>', 'The id that cofre keys status shows')
    .option(...JSON_OPTION)
    .action((id: string, options: JsonOption) => print(options, commands().retire(id)))
  keys
    .command('split')
    .description('Draws a new key and prints it as shares, each for one custodian, once.')
    .requiredOption('--shares <n>', 'How many custodians there are (2 to 255)', readCount)
    .requiredOption('--threshold <k>', 'How many of them a start needs (at least 2)', readCount)
    .option(...JSON_OPTION)
    .action(({ shares, threshold, ...options }: SplitOptions) =>
      print(options, commands().split({ shares, threshold })),
    )
}

function readCount(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It takes a whole number.')
}

const EXAMPLES = `
Examples
  cofre keys status
  cofre keys rotate
  cofre keys split --shares 5 --threshold 3
`
