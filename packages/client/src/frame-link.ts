import {
  FIELDS_GREETING,
  type FrameMessage,
  type PageMessage,
  readFrameMessage,
} from '@cofre/contracts/field-messages'

/** The page's end of the channel to its frame. */
export interface FrameLink {
  /** Goes nowhere while no frame has taken the port. */
  send(message: PageMessage): void
  close(): void
}

/**
 * Hands a port to the frame, at the vault's origin alone: a browser drops the message if the frame
 * has been led elsewhere. What is no message of the fields is not passed on.
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
