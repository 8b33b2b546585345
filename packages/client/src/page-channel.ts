import {
  type FrameMessage,
  type PageMessage,
  isFieldsGreeting,
  readPageMessage,
} from '@cofre/contracts/field-messages'

/** The frame's end of the channel to the page. */
export interface PageChannel {
  /** Goes nowhere until the page has handed its port over. */
  send(message: FrameMessage): void
}

/**
 * Takes the port that the page around the frame hands over, if that page is at one of the origins
 * that the vault has written into the frame. The page's latest port counts: it hands over another
 * when the shopper comes back to a page that the browser has kept.
 */
export function listenToPage(
  origins: readonly string[],
  receive: (message: PageMessage) => void,
): PageChannel {
  let port: MessagePort | undefined
  addEventListener('message', ({ data, origin, source, ports }: MessageEvent<unknown>) => {
    const [handedOver] = ports
    const isOfPage = source === parent && origins.includes(origin)
    if (!isOfPage || !isFieldsGreeting(data) || !handedOver) return
    port?.close()
    port = handedOver
    port.onmessage = (event: MessageEvent<unknown>) => {
      const message = readPageMessage(event.data)
      if (message) receive(message)
    }
  })
  return {
    send(message) {
      port?.postMessage(message)
    },
  }
}
