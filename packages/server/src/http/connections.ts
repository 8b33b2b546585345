import type { Server, ServerResponse } from 'node:http'
import { Server as TlsServer } from 'node:tls'
import type { Socket } from 'node:net'

interface Connection {
  /** Answers that are not out yet, in the order of their requests. */
  readonly unanswered: ServerResponse[]
  /** To the last request, answered or not. */
  last: ServerResponse | undefined
  /** An answer has said, or is about to say, that it is the last. */
  isEnding: boolean
  /** Since when nothing is asked, on the clock of `performance`. */
  idleSince: number
  /** How much had come by then. */
  idleFromByte: number
  whenAnswered: (() => void) | undefined
}

/** The connections of a port, and which of their requests wait for an answer. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()

  constructor(server: Server) {
    // Requests come on the socket within TLS, where there is one.
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
   * Notes a request. Returns false when it must not be worked on: an answer before it ends the
   * connection, so that nobody would receive its own.
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

  /** Makes an answer the last of its connection, unless another request has come after it. */
  endWith(response: ServerResponse): void {
    const connection = this.#open.get(response.req.socket)
    if (connection?.last !== response) return
    connection.isEnding = true
    response.setHeader('Connection', 'close')
  }

  /**
   * Takes no more from a connection, and calls back, once, when every request that arrived whole is
   * answered.
   * @param onAnswered - Is passed whether what did not arrive whole has an answer, too.
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
   * Ends the connections on which nothing that has arrived is being answered.
   * @param since - When the process stopped, on the clock of `performance`.
   * @param graceMs - How long, from then on, a request may take to arrive.
   * @param idleMs - How long nothing was asked on others.
   */
  endIdle(since: number, graceMs: number, idleMs: number): void {
    const now = performance.now()
    for (const [socket, connection] of this.#open) {
      const { unanswered, idleSince, idleFromByte } = connection
      if (isBeingAnswered(connection)) continue
      const isArriving = unanswered.length > 0 || socket.bytesRead > idleFromByte
      const isOver = isArriving ? now - since >= graceMs : now - idleSince >= idleMs
      if (isOver) socket.destroy()
    }
  }
}

/** Whether an answer is owed, or has begun. */
function isBeingAnswered({ unanswered }: Connection): boolean {
  return unanswered.some(({ req, headersSent }) => req.complete || headersSent)
}
