import type { Server, ServerResponse } from 'node:http'
import { Server as TlsServer } from 'node:tls'
import type { Socket } from 'node:net'

interface Connection {
  /** Responses that are not complete, in the order of their requests. */
  readonly unanswered: ServerResponse[]
  /** Response to the last request, complete or not. */
  last: ServerResponse | undefined
  /** True if a response has announced, or will announce, that it is the last. */
  isEnding: boolean
  /** Start of the idle time, on the clock of `performance`. */
  idleSince: number
  /** Bytes received by then. */
  idleFromByte: number
  whenAnswered: (() => void) | undefined
}

/** The connections of a port, and their unanswered requests. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()

  constructor(server: Server) {
    // With TLS, requests arrive on the inner socket.
    const opened = server instanceof TlsServer ? 'secureConnection' : 'connection'
    server.on(opened, (socket: Socket) => {
      this.#open.set(socket, {
        unanswered: [],
        last: undefined,
        isEnding: false,
        idleSince: performance.now(),
        idleFromByte: 0,
        whenAnswered: undefined,
      })
      socket.once('close', () => this.#open.delete(socket))
    })
  }

  /**
   * Registers a request. Returns false if it must not be processed: an earlier response ends the
   * connection, so the client would not receive this one's.
   */
  admit(response: ServerResponse): boolean {
    const { socket } = response.req
    const connection = this.#open.get(socket)
    if (connection === undefined || connection.isEnding) return false
    connection.unanswered.push(response)
    connection.last = response
    response.once('close', () => {
      connection.unanswered.splice(connection.unanswered.indexOf(response), 1)
      connection.idleSince = performance.now()
      connection.idleFromByte = socket.bytesRead
      if (!isBeingAnswered(connection)) connection.whenAnswered?.()
    })
    return true
  }

  /** Makes a response the last of its connection, unless another request followed. */
  endWith(response: ServerResponse): void {
    const connection = this.#open.get(response.req.socket)
    if (connection?.last !== response) return
    connection.isEnding = true
    response.setHeader('Connection', 'close')
  }

  /**
   * Accepts no more from a connection, and calls back, once, when every complete request is
   * answered.
   * @param onAnswered - Receives true if the incomplete request has a response too.
   */
  breakOff(socket: Socket, onAnswered: (isRestAnswered: boolean) => void): void {
    const connection = this.#open.get(socket)
    if (connection === undefined || connection.whenAnswered !== undefined) return
    connection.isEnding = true
    const { last } = connection
    const answered = (): void => {
      onAnswered(last !== undefined && !last.req.complete && last.headersSent)
    }
    connection.whenAnswered = answered
    if (!isBeingAnswered(connection)) answered()
  }

  /**
   * Ends the connections that have no complete request to answer.
   * @param since - Start of the stop, on the clock of `performance`.
   * @param graceMs - Time from then on for a request to arrive.
   * @param idleMs - Idle time after which other connections end.
   */
  endIdle(since: number, graceMs: number, idleMs: number): void {
    const now = performance.now()
    for (const [socket, connection] of this.#open) {
      const { unanswered, idleSince, idleFromByte } = connection
      if (isBeingAnswered(connection)) continue
      const isArriving = unanswered.length > 0 || socket.bytesRead > idleFromByte
      const isIdleTooLong = isArriving ? now - since >= graceMs : now - idleSince >= idleMs
      if (isIdleTooLong) socket.destroy()
    }
  }
}

/** True if a response is due, or has begun. */
function isBeingAnswered({ unanswered }: Connection): boolean {
  return unanswered.some(({ req, headersSent }) => req.complete || headersSent)
}
