import type { FrameMessage } from '@cofre/contracts/field-messages'
import type {
  CardFieldName,
  CardFieldsEvents,
  CardFieldsListener,
  TokenizedCard,
} from './card-fields-events.js'
import { type CardFieldsOptions, type FrameSettings, readOptions } from './card-fields-options.js'
import { DirectTokenError } from './errors.js'
import { type FrameLink, linkToFrame } from './frame-link.js'
import { type FailureNotice, noticeIn } from './failure-notice.js'
import { pause } from './pause.js'
import type { DirectTokenCallback } from './payment-method.js'

/** After this time, the browser has refused the frame or cannot load it. */
const READY_WITHIN_MS = 5000
/** Longer than all the frame's attempts at a vault that does not answer. */
const ANSWER_WITHIN_MS = 60_000
/** Pause before another attempt to resize the frame, while a button is pressed. */
const PRESS_LOOK_MS = 50

type TokenResult = string | DirectTokenError

const networkError = (): DirectTokenError => new DirectTokenError('session_network_error')
const internalError = (): DirectTokenError => new DirectTokenError('credit_card_internal_error')

/**
 * The inputs for number, expiry and CVV, or for a saved card's CVV alone, in a frame of the vault.
 * The shop's page gets a direct token, never a digit of the card. A page with a
 * Content-Security-Policy lists the vault in `script-src` and `frame-src`.
 */
export class CardFields {
  /** Address of the vault without `options.baseUrl`; the script tag sets its own directory. */
  static baseUrl = ''

  /** Details of the last direct token's card. */
  card: TokenizedCard | undefined

  /**
   * Resolves when the fields can be used for the first time. Rejects with a DirectTokenError
   * `session_network_error` if the frame has not answered within five seconds, though it may still
   * answer later. A page that ignores this promise gets the event `error`.
   */
  readonly ready: Promise<void>

  private readonly frame: HTMLIFrameElement
  /** Shown in place of a frame that does not answer. */
  private readonly notice: FailureNotice
  private readonly url: string
  private readonly style: FrameSettings['style']
  private readonly listeners = new Set<readonly [name: string, listener: (event: never) => void]>()
  private readonly waiting = new Map<number, (outcome: TokenResult) => void>()
  private link: FrameLink | undefined
  private height = 0
  private endReady: ((reason: DirectTokenError) => void) | undefined
  private isReady = false
  private hasFailed = false
  private isLoaded = false
  private isDestroyed = false
  private watch: ReturnType<typeof setTimeout> | undefined
  private whenReady: (() => void)[] = []
  private lastId = 0

  /**
   * Adds the frame to the element and opens a session in it.
   * @throws TypeError when `store` or the vault's address is missing
   */
  constructor(element: Element, options: CardFieldsOptions) {
    const settings = readOptions(options, element, CardFields.baseUrl)
    const { url, title, colorScheme } = settings
    this.url = url
    this.style = settings.style
    this.notice = noticeIn(element, settings)
    this.frame = document.createElement('iframe')
    Object.assign(this.frame, { src: url, title, referrerPolicy: 'no-referrer' })
    // One by one: a strict policy forbids the `style` attribute.
    const look = { colorScheme, width: '100%', border: '0', display: 'block' }
    Object.assign(this.frame.style, look)
    this.frame.addEventListener('load', this.connect)
    addEventListener('pageshow', this.reconnect)
    element.append(this.frame)
    this.ready = new Promise((resolve, reject) => {
      this.on('ready', () => {
        resolve()
      })
      this.on('error', () => {
        reject(networkError())
      })
      this.endReady = reject
    })
    // A page that handles only the event has no unhandled rejection.
    this.ready.catch(() => undefined)
    this.expectAnswer()
  }

  /** Adds a listener. Returns a function that removes it. */
  on<Name extends keyof CardFieldsEvents>(
    name: Name,
    listener: CardFieldsListener<Name>,
  ): () => void {
    const entry = [name, listener] as const
    this.listeners.add(entry)
    return () => {
      this.listeners.delete(entry)
    }
  }

  /**
   * Asks the frame to deposit the card in the vault. The resulting token pays once, within 15
   * minutes. Errors in the card appear beside its inputs, in the shopper's language.
   * @param callback - Gets `(null, directToken)`, or the reason as `(err)`.
   * @returns a promise without a callback, rejected with a DirectTokenError; false, with
   *   `callback_must_be_a_function` on the console, if the callback is not a function
   */
  getDirectToken(): Promise<string>
  getDirectToken(callback: DirectTokenCallback): boolean
  getDirectToken(callback?: DirectTokenCallback): Promise<string> | boolean {
    if (callback === undefined)
      return this.outcome().then((outcome) => {
        if (typeof outcome === 'string') return outcome
        throw outcome
      })
    if (typeof callback !== 'function') {
      console.error('callback_must_be_a_function')
      return false
    }
    void this.outcome().then((outcome) => {
      // Outside the promise, so that an exception in the callback is an error of the page.
      queueMicrotask(() => {
        if (typeof outcome === 'string') callback(null, outcome)
        else callback(outcome.code)
      })
    })
    return true
  }

  /** Focuses the field, or the first one that is incomplete or wrong. */
  focus(field?: CardFieldName): void {
    // After the page took the focus from the frame, the browser may still report the frame as
    // focused.
    this.frame.blur()
    this.frame.focus()
    this.link?.send({ type: 'focus', field: field ?? null })
  }

  /** Removes the frame from the page. Pending calls end with `credit_card_internal_error`. */
  destroy(): void {
    this.isDestroyed = true
    removeEventListener('pageshow', this.reconnect)
    clearTimeout(this.watch)
    this.disconnect()
    this.endReady?.(internalError())
    this.frame.remove()
    this.notice.hide()
  }

  /** Runs after each document that loads into the frame, even after the page moved the frame. */
  private readonly connect = (): void => {
    this.isLoaded = true
    if (this.isReady) this.expectAnswer()
    this.disconnect()
    this.link = linkToFrame(this.frame, (message) => {
      this.receive(message)
    })
    this.link.send({ type: 'init', style: this.style })
  }

  /** The shopper returned to a page from the browser's cache: its channel may be dead. */
  private readonly reconnect = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) this.connect()
  }

  private disconnect(): void {
    this.link?.close()
    this.isReady = false
    for (const answer of [...this.waiting.values()]) answer(internalError())
  }

  private expectAnswer(): void {
    this.watch = setTimeout(this.fail, READY_WITHIN_MS)
  }

  private readonly fail = (): void => {
    this.hasFailed = true
    this.frame.style.display = 'none'
    this.notice.show()
    console.error('CardFields: no answer. Is ' + location.origin + ' an origin of the store?')
    this.emit('error', { code: 'session_network_error' })
  }

  private answered(): void {
    clearTimeout(this.watch)
    this.isReady = true
    this.hasFailed = false
    this.frame.style.display = 'block'
    this.notice.hide()
    for (const proceed of this.whenReady.splice(0)) proceed()
  }

  private connected(): Promise<boolean> {
    if (this.isReady) return Promise.resolve(true)
    // A frame that still loads may be late; one that failed is loaded again.
    if (this.hasFailed && this.isLoaded) {
      this.isLoaded = false
      this.frame.src = this.url
    }
    const ready = new Promise<boolean>((resolve) => {
      this.whenReady.push(() => {
        resolve(true)
      })
    })
    return Promise.race([ready, pause(READY_WITHIN_MS).then(() => false)])
  }

  private async outcome(): Promise<TokenResult> {
    const isConnected = !this.isDestroyed && (await this.connected())
    if (!isConnected) return networkError()
    // The frame was disconnected while this call waited.
    if (!this.isReady) return internalError()
    const id = ++this.lastId
    const answered = new Promise<TokenResult>((resolve) => {
      this.waiting.set(id, resolve)
      this.link?.send({ type: 'tokenize', id })
    })
    const outcome = await Promise.race([answered, pause(ANSWER_WITHIN_MS).then(internalError)])
    this.waiting.delete(id)
    return outcome
  }

  /**
   * Waits while a button is pressed. Errors appear when the shopper leaves the frame for the shop's
   * button, and a button that moves under the mouse gets no click. An element pressed and then
   * released over the frame stays `:active`; a shopper who types in the frame presses no button.
   */
  private readonly resize = (): void => {
    if (document.activeElement !== this.frame && document.querySelector(':active'))
      void pause(PRESS_LOOK_MS).then(this.resize)
    else this.frame.style.height = String(this.height) + 'px'
  }

  private receive(message: FrameMessage): void {
    const { type, ...event } = message
    switch (message.type) {
      case 'ready':
        this.answered()
        break
      case 'resize':
        this.height = message.height
        this.resize()
        return
      case 'tokenized': {
        const { brand, bin, lastFour } = message
        // A security code alone has none.
        if (lastFour) this.card = { brand, bin, lastFour }
        this.waiting.get(message.id)?.(message.directToken)
        return
      }
      case 'failed':
        this.waiting.get(message.id)?.(new DirectTokenError(message.code, message.fields))
        return
      case 'change':
      case 'focus':
      case 'blur':
      case 'submit':
    }
    this.emit(type, event)
  }

  private emit(type: string, event: object): void {
    for (const [name, listener] of [...this.listeners])
      if (name === type) (listener as (event: object) => void)(event)
  }
}
