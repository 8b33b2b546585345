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

/** A frame that has not answered by then is refused by the browser, or cannot be loaded. */
const READY_WITHIN_MS = 5000
/** Longer than the frame takes with all its attempts at a vault that does not answer. */
const ANSWER_WITHIN_MS = 60_000
/** How soon after a press the frame has the height of its content. */
const PRESS_LOOK_MS = 50

type Outcome = string | DirectTokenError

const networkError = (): DirectTokenError => new DirectTokenError('session_network_error')
const internalError = (): DirectTokenError => new DirectTokenError('credit_card_internal_error')

/**
 * The inputs for number, expiry and CVV in a frame of the vault: the shop's page gets a direct
 * token and never a digit of the card. A page with a Content-Security-Policy lists the vault in
 * `script-src` and `frame-src`.
 */
export class CardFields {
  /** Where the vault is without `options.baseUrl`; the script tag sets its own directory. */
  static baseUrl = ''

  /** What the page may know of the card of the last direct token. */
  card: TokenizedCard | undefined

  /**
   * Resolves when the fields can be used for the first time. Rejected with a DirectTokenError
   * `session_network_error` when the frame has not answered within five seconds, though it may
   * still; a page that does not look at it hears of it by the event `error`.
   */
  readonly ready: Promise<void>

  private readonly frame: HTMLIFrameElement
  /** Stands in place of a frame that does not answer. */
  private readonly notice: FailureNotice
  private readonly url: string
  private readonly style: FrameSettings['style']
  private readonly listeners = new Set<readonly [name: string, listener: (event: never) => void]>()
  private readonly waiting = new Map<number, (outcome: Outcome) => void>()
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
   * Puts the frame into the element, and opens a session in it.
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
    // One by one: a strict policy forbids the attribute.
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
    // A page that handles the event alone has no unhandled rejection.
    this.ready.catch(() => undefined)
    this.expectAnswer()
  }

  /** Calls the listener from now on. Returns what takes it off. */
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
   * Has the frame leave the card in the vault, and gives the token that pays with it, once, within
   * 15 minutes. What is wrong with the card stands beside its inputs, in the shopper's language.
   * @param callback - Gets `(null, directToken)`, or the reason as `(err)`.
   * @returns a promise without a callback, rejected with a DirectTokenError; false, with
   *   `callback_must_be_a_function` on the console, when the callback is none
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
      // Outside the promise, so that what the callback throws is an error of the page.
      queueMicrotask(() => {
        if (typeof outcome === 'string') callback(null, outcome)
        else callback(outcome.code)
      })
    })
    return true
  }

  /** Puts the cursor into the field, or into the first that needs it. */
  focus(field?: CardFieldName): void {
    // A frame that lost the focus to the page may still be what the page takes for focused.
    this.frame.blur()
    this.frame.focus()
    this.link?.send({ type: 'focus', field: field ?? null })
  }

  /** Takes the frame off the page. What is under way ends with `credit_card_internal_error`. */
  destroy(): void {
    this.isDestroyed = true
    removeEventListener('pageshow', this.reconnect)
    clearTimeout(this.watch)
    this.disconnect()
    this.endReady?.(internalError())
    this.frame.remove()
    this.notice.hide()
  }

  /** Whenever a document has been loaded into the frame, which may be after the page moved it. */
  private readonly connect = (): void => {
    this.isLoaded = true
    if (this.isReady) this.expectAnswer()
    this.disconnect()
    this.link = linkToFrame(this.frame, (message) => {
      this.receive(message)
    })
    this.link.send({ type: 'init', style: this.style })
  }

  /** The shopper has come back to a page that the browser kept: its channel may be dead. */
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
    // What is still under way may come late; what has failed is tried again.
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

  private async outcome(): Promise<Outcome> {
    const isConnected = !this.isDestroyed && (await this.connected())
    if (!isConnected) return networkError()
    // Gone again while this call waited for its turn.
    if (!this.isReady) return internalError()
    const id = ++this.lastId
    const answered = new Promise<Outcome>((resolve) => {
      this.waiting.set(id, resolve)
      this.link?.send({ type: 'tokenize', id })
    })
    const outcome = await Promise.race([answered, pause(ANSWER_WITHIN_MS).then(internalError)])
    this.waiting.delete(id)
    return outcome
  }

  /**
   * Not while a button is pressed: one that moves away under the mouse is not clicked, and errors
   * appear just when the shopper leaves the frame for the shop's button. What was pressed and let
   * go over the frame stays `:active`; who types in the frame presses nothing.
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
        this.card = { brand, bin, lastFour }
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
