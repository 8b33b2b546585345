import {
  type FrameMessage,
  type PageMessage,
  isFieldsGreeting,
  readPageMessage,
} from '@cofre/contracts/field-messages'

/** The frame's end of the channel to the page. */
export interface PageChannel {
  /** Dropped until the page has sent its port. */
  send(message: FrameMessage): void
}

/**
 * Receives the port from the page around the frame, if that page has one of the origins that the
 * vault wrote into the frame. The latest port counts: the page sends another when the shopper
 * returns to a page from the browser's cache.
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
