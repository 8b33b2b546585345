import { type CommandContext, UsageError, isYes } from './command.js'

/** What would go from a list when a command replaces it. */
interface Loss {
  /** `--origin would drop https://shop.example from the origins of loja` */
  readonly sentence: string
  /** What a script may do instead: `--add-origin keeps them`. */
  readonly advice: string
}

/**
 * Asks the person at the terminal whether that may go.
 * @throws UsageError where nobody can be asked, and when the answer is no
 */
export async function agreeToLoss(
  { terminal }: Pick<CommandContext, 'terminal'>,
  { sentence, advice }: Loss,
): Promise<void> {
  if (terminal === undefined)
    throw new UsageError(
      `${sentence}. Nothing was changed: ${advice}, --replace does it all the same`,
    )
  if (!isYes(await terminal.ask(`${sentence}. Go on? [y/N] `)))
    throw new UsageError('nothing was changed: the answer was no')
}
