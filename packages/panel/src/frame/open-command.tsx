import { Copyable } from '../part/parts.js'
import { useView } from '../visit/visit.js'

interface OpenCommandProps {
  readonly command: string
  /** The purpose of the command's link. */
  readonly text: string
}

/** The command that prints a link for the demo store's owner. */
export function OpenCommand({ command, text }: OpenCommandProps) {
  return (
    <>
      <p>{text}</p>
      <Copyable id="open-command" text={command} label={useView().texts.demo.command} />
    </>
  )
}
