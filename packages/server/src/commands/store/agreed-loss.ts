import { type CommandContext, UsageError, isYes } from '../line/command.js'

/** Entries that a command would drop from a list. */
interface Loss {
  /** `--origin would drop https://shop.example from the origins of loja` */
  readonly sentence: string
  /** Alternative for a script: `--add-origin keeps them`. */
  readonly advice: string
}

/**
 * Asks the person at the terminal to confirm the loss.
 * @throws UsageError without a terminal, and if the answer is no
 */
export async function agreeToLoss(
  { terminal }: Pick<CommandContext, 'terminal'>,
  { sentence, advice }: Loss,
): Promise<void> {
  if (terminal === undefined)
    throw new UsageError(`${sentence}. Nothing was changed: ${advice}; --replace does it anyway`)
  if (!isYes(await terminal.prompt(`${sentence}. Go on? [y/N] `)))
    throw new UsageError('nothing was changed: the answer was no')
}
