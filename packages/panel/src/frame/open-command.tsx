import { Copyable } from './parts.js'
import { useView } from './visit.js'

interface OpenCommandProps {
  readonly command: string
  /** What its link is for. */
  readonly text: string
}

/** What to run for a link of the demo store's owner. */
export function OpenCommand({ command, text }: OpenCommandProps) {
  return (
    <>
      <p>{text}</p>
      <Copyable id="open-command" text={command} label={useView().texts.demo.command} />
    </>
  )
}
