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
import { pause } from './pause.js'
import type { DirectTokenCallback } from './payment-method.js'

/** A frame that has not answered by then is refused by the browser, or cannot be loaded. */
const READY_WITHIN_MS = 10_000
/** Longer than the frame takes with all its attempts at a vault that does not answer. */
const ANSWER_WITHIN_MS = 60_000
/** How soon after a press the frame has the height of its content. */
const PRESS_LOOK_MS = 50

type Outcome = string | DirectTokenError

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

  private readonly frame: HTMLIFrameElement
  private readonly style: FrameSettings['style']
  private readonly listeners = new Set<readonly [name: string, listener: (event: never) => void]>()
  private readonly waiting = new Map<number, (outcome: Outcome) => void>()
  private link: FrameLink | undefined
  private height = 0
  private isReady = false
  private isDestroyed = false
  private whenReady: (() => void)[] = []
  private lastId = 0

  /**
   * Puts the frame into the element, and opens a session in it.
   * @throws TypeError when `store` or the vault's address is missing
   */
  constructor(element: Element, options: CardFieldsOptions) {
    const { url, title, colorScheme, style } = readOptions(options, element, CardFields.baseUrl)
    this.style = style
    this.frame = document.createElement('iframe')
    Object.assign(this.frame, { src: url, title, referrerPolicy: 'no-referrer' })
    // One by one: a strict policy forbids the attribute.
    const look = { colorScheme, width: '100%', border: '0', display: 'block' }
    Object.assign(this.frame.style, look)
    this.frame.addEventListener('load', this.connect)
    addEventListener('pageshow', this.reconnect)
    element.append(this.frame)
    void this.connected().then((isConnected) => {
      if (!isConnected && !this.isDestroyed)
        console.error('CardFields: no answer. Is ' + location.origin + ' an origin of the store?')
    })
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

  /** Takes the frame off the page. Calls under way end with `credit_card_internal_error`. */
  destroy(): void {
    this.isDestroyed = true
    removeEventListener('pageshow', this.reconnect)
    this.disconnect()
    this.frame.remove()
  }

  /** Whenever a document has been loaded into the frame, which may be after the page moved it. */
  private readonly connect = (): void => {
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

  private connected(): Promise<boolean> {
    if (this.isReady) return Promise.resolve(true)
    const ready = new Promise<boolean>((resolve) => {
      this.whenReady.push(() => {
        resolve(true)
      })
    })
    return Promise.race([ready, pause(READY_WITHIN_MS).then(() => false)])
  }

  private async outcome(): Promise<Outcome> {
    const isConnected = !this.isDestroyed && (await this.connected())
    if (!isConnected) return new DirectTokenError('session_network_error')
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
        this.isReady = true
        for (const proceed of this.whenReady.splice(0)) proceed()
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
    for (const [name, listener] of [...this.listeners])
      if (name === type) (listener as (event: object) => void)(event)
  }
}
