import {
  FIELDS_GREETING,
  type FrameMessage,
  type PageMessage,
  readFrameMessage,
} from '@cofre/contracts/field-messages'

/** The page's end of the channel to its frame. */
export interface FrameLink {
  /** Dropped until the frame has received the port. */
  send(message: PageMessage): void
  close(): void
}

/**
 * Sends a port to the frame, at the vault's origin only: the browser drops the message if the frame
 * shows another site. Ignores messages of any other form.
 */
export function linkToFrame(
  frame: HTMLIFrameElement,
  receive: (message: FrameMessage) => void,
): FrameLink {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = readFrameMessage(data)
    if (message) receive(message)
  }
  frame.contentWindow?.postMessage(FIELDS_GREETING, new URL(frame.src).origin, [port2])
  return {
    send(message) {
      port1.postMessage(message)
    },
    close() {
      port1.close()
    },
  }
}
